# Sourced by the other scripts: makes sure that there is Python 3.10 or later with venv, without which the module of
# the package cannot even be checked. On Debian it is installed if it is missing.
if ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1; then
  if command -v apt-get >/dev/null 2>&1; then
    sudo=$([ "$(id -u)" = 0 ] || echo sudo)
    $sudo apt-get install -y --no-install-recommends python3 python3-venv >&2
  else
    echo "Python 3.10 or later with venv is missing: install it and run this again" >&2
    exit 2
  fi
fi
