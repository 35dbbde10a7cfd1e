//! Who is let in.
//!
//! The server listens on 127.0.0.1 only. Other programs of this machine, and pages of other sites in
//! its browser, can still reach that address:
//! - `Host` must be the server's own, so that a name of another site that is made to point to
//!   127.0.0.1 is refused (rebinding);
//! - `Origin`, which browsers add to requests of other sites, must be the server's own if it is
//!   there;
//! - everything below `/api/` needs the token that is in the page, which other sites cannot read.

use super::request::Request;

/// Letters of a token: 256 random bits in hexadecimal.
const TOKEN: usize = 64;

/// What a request must show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate {
    hosts: [String; 2],
    /// The token of this server.
    pub token: String,
}

impl Gate {
    /// The gate of a server at a port, with a fresh token; none if the system has no randomness.
    pub fn new(port: u16) -> Option<Self> {
        let mut bytes = [0_u8; TOKEN / 2];
        getrandom::fill(&mut bytes).ok()?;
        let token = bytes.iter().map(|b| format!("{b:02x}")).collect();
        Some(Self { hosts: ["127.0.0.1", "localhost"].map(|h| format!("{h}:{port}")), token })
    }

    /// Why a request is refused, if it is.
    pub fn refuses(&self, request: &Request) -> Option<&'static str> {
        let known = |host: &str| self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host));
        match request.header("host") {
            Some(host) if known(host) => {}
            _ => return Some("this server answers to its own name only"),
        }
        if let Some(origin) = request.header("origin")
            && !origin.strip_prefix("http://").is_some_and(known)
        {
            return Some("this server does not answer to pages of others");
        }
        let shown = request.header("x-carom-token").unwrap_or_default();
        if request.path.starts_with("/api/") && !same(shown.as_bytes(), self.token.as_bytes()) {
            return Some("the token is missing or not that of this server; reload the page");
        }
        None
    }
}

/// Whether two texts agree, in a time that does not tell where they differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |d, (x, y)| d | (x ^ y)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(path: &str, headers: &[(&str, &str)]) -> Request {
        Request {
            method: "GET".into(),
            path: path.into(),
            headers: headers.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect(),
            body: Vec::new(),
        }
    }

    #[test]
    fn who_is_let_in() {
        let gate = Gate::new(4000).unwrap();
        let token = ("x-carom-token", gate.token.as_str());
        let (own, other) = (("host", "127.0.0.1:4000"), ("host", "evil.example:4000"));
        let lets =
            |path: &str, headers: &[(&str, &str)]| gate.refuses(&request(path, headers)).is_none();
        assert!(lets("/", &[own]));
        assert!(lets("/", &[("host", "LOCALHOST:4000")]));
        assert!(lets("/api/scene", &[own, token]));
        assert!(lets("/api/scene", &[own, token, ("origin", "http://127.0.0.1:4000")]));
        assert!(!lets("/", &[]));
        assert!(!lets("/", &[other]));
        assert!(!lets("/", &[("host", "127.0.0.1:4001")]));
        assert!(!lets("/", &[("host", "127.0.0.1")]));
        assert!(!lets("/", &[own, ("origin", "http://evil.example")]));
        assert!(!lets("/", &[own, ("origin", "https://127.0.0.1:4000")]));
        assert!(!lets("/", &[own, ("origin", "null")]));
        assert!(!lets("/api/scene", &[own]));
        assert!(!lets("/api/scene", &[own, ("x-carom-token", "")]));
        assert!(!lets("/api/scene", &[own, ("x-carom-token", &gate.token[1..])]));
    }

    #[test]
    fn tokens_differ() {
        let [a, b] = [Gate::new(1).unwrap(), Gate::new(1).unwrap()];
        assert_eq!(a.token.len(), TOKEN);
        assert_ne!(a.token, b.token);
    }
}
