//! A fuzzer of the viewer's server.
//!
//! ```text
//! cargo run --release -p carom-cli --example fuzz_requests -- CAROM COUNT [SEED] [FILE]
//! ```
//!
//! Starts `CAROM view scenes/ball.toml` and sends it requests: good ones, and good ones whose bytes, lines, numbers and
//! changes of the scene were mutated. A server that is gone, does not answer a question other than a run within ten
//! seconds, answers with a status that it does not have, tells a file, or grows beyond 1 GB is a finding. Case number i
//! of a seed sends always the same bytes, up to the token of the server.

use carom_testing::{Campaign, scene, splitmix64};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time after which a client leaves a run that is not done.
const LEAVE: Duration = Duration::from_millis(100);
/// Largest memory of the server, kB.
const ROOM: u64 = 1 << 20;
/// Statuses that the server has.
const STATUSES: [&str; 11] =
    ["200", "204", "400", "403", "404", "405", "408", "411", "413", "422", "431"];
const PATHS: [&str; 16] = [
    "/",
    "/favicon.ico",
    "/api/scene",
    "/api/looks",
    "/api/stamp",
    "/api/run",
    "/api/document/0",
    "/api/progress/b-2",
    "/api/progress/../a",
    "/api/scene",
    "/api/stamp",
    "/api/document/0",
    "/api/document/99999999999999999999",
    "/api/progress/a",
    "/../../etc/passwd",
    "/%2e%2e/",
];
/// Changes of the scene.
const SETS: [&str; 22] = [
    "contact.0.restitution=0.9",
    "contact.0.friction=0",
    "body.ball.mass=0.3",
    "body.ball.position=[0, 0, 0.5]",
    "solver.until=0.1",
    "solver.rtol=1e-6",
    "law.formulation=poisson",
    "output.interval=0.01",
    "contact.0.restitution=0.3",
    "contact.0.restitution=nan",
    "body.ball.mass=1e308",
    "body.ball.mass=-1",
    "solver.until=0.2",
    "solver.until=1e9",
    "output.interval=1e-12",
    "u\\\"r\\\"df=[{file=\\\"/etc/passwd\\\"}]",
    "law.formulation=newton",
    "gravity=[0,0,0]",
    "\\u001b[31m=1",
    "a.b.c.d=1",
    "=",
    "body.bal.mass=1",
];
/// Texts of scenes in place of the one that is shown, as JSON has them.
const TEXTS: [&str; 8] = [
    "[body.a]\\nmass = 1\\nshape = { sphere = 0.1 }\\nposition = [0, 0, 1]\\n[solver]\\nuntil = 0.2\\n",
    "space = \\\"planar\\\"\\n[body.a]\\nmass = 1\\nshape = { disk = 0.1 }\\nposition = [0, 0.2]\\n[body.f]\\nshape = \\\"plane\\\"\\n\
     [[contact]]\\nbetween = [\\\"a\\\", \\\"f\\\"]\\nrestitution = 0.5\\nfriction = 0.3\\n[solver]\\nuntil = 0.5\\n",
    "",
    "[[urdf]]\\nfile = \\\"/etc/passwd\\\"\\n",
    "[[mjcf]]\\nfile = \\\"../../etc/passwd\\\"\\n",
    "[controller.c]\\ntype = \\\"table\\\"\\nfile = \\\"/etc/passwd\\\"\\n",
    "body = [[[[[[[[[[[[",
    "title = \\\"\\u001b[31m\\\"\\n",
];
/// Headers that make trouble.
const HEADERS: [&str; 8] = [
    "Transfer-Encoding: chunked",
    "Content-Length: 0",
    "Content-Length: 99999999999999999999",
    "Host: evil.example",
    "Origin: http://evil.example",
    "Expect: 100-continue",
    "Connection: keep-alive",
    "X: \u{0}",
];

struct Server {
    child: Child,
    host: String,
    token: String,
}

impl Server {
    fn start(carom: &str) -> Option<Self> {
        let mut command = Command::new(carom);
        command.arg("view").arg(scene("ball.toml")).stdin(Stdio::null()).stdout(Stdio::null());
        let mut child = command.stderr(Stdio::piped()).spawn().ok()?;
        let mut line = String::new();
        BufReader::new(child.stderr.take()?).read_line(&mut line).ok()?;
        let host = line.strip_prefix("http://")?.split('/').next()?.to_string();
        let mut server = Self { child, host, token: String::new() };
        let page =
            server.ask(format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.host).as_bytes(), true);
        let rest = page.split_once("\"token\":\"")?.1;
        server.token = rest.split('"').next()?.to_string();
        Some(server)
    }

    /// What comes back; empty if nothing does.
    fn ask(&self, bytes: &[u8], whole: bool) -> String {
        let Ok(mut stream) = TcpStream::connect(&self.host) else { return String::new() };
        let _ = stream.set_read_timeout(Some(if is_run(bytes) { LEAVE } else { PATIENCE }));
        let _ = stream.set_write_timeout(Some(PATIENCE));
        // A server that refuses early may close before all is sent.
        let _ = stream.write_all(bytes);
        // What may be cut ends here, so that the server need not wait for the rest; to a run it means that its client
        // has gone.
        if !whole {
            let _ = stream.shutdown(Shutdown::Write);
        }
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// kB of memory.
    fn memory(&self) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).unwrap_or_default();
        let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:")).unwrap_or_default();
        line.trim().trim_end_matches(" kB").parse().unwrap_or(0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn main() -> ExitCode {
    let Some(carom) = std::env::args().nth(1) else {
        println!("which binary?");
        return ExitCode::from(2);
    };
    let Some(campaign) = Campaign::from_arguments(std::env::args().skip(2)) else {
        return ExitCode::from(2);
    };
    let Some(mut server) = Server::start(&carom) else {
        println!("{carom} does not serve");
        return ExitCode::from(2);
    };
    let mut runs = 0;
    let code = campaign.run("requests", |case| {
        let mut random = campaign.seed.wrapping_mul(0x9e37_79b9).wrapping_add(case);
        let (bytes, whole) = request(&server, &mut random);
        let began = Instant::now();
        let answer = server.ask(&bytes, whole);
        runs += u64::from(is_run(&bytes) && answer.starts_with("HTTP/1.1 200"));
        let finding = wrong(&mut server, &bytes, &answer, began.elapsed());
        finding.map(|f| format!("{f}: {:?}", String::from_utf8_lossy(&bytes)))
    });
    println!("requests: {runs} were runs");
    code
}

fn is_run(bytes: &[u8]) -> bool {
    bytes.starts_with(b"POST /api/run ")
}

/// The bytes of a case, and whether they are a whole request.
fn request(server: &Server, random: &mut u64) -> (Vec<u8>, bool) {
    let mut pick = |n: usize| (splitmix64(random) % n as u64) as usize;
    let mut lines = vec![format!("Host: {}", server.host)];
    if pick(10) > 0 {
        lines.push(format!("X-Carom-Token: {}", server.token));
    }
    if pick(4) == 0 {
        lines.push(HEADERS[pick(HEADERS.len())].into());
    }
    let mut bytes = if pick(4) == 0 {
        let sets: Vec<String> =
            (0..pick(4)).map(|_| format!("\"{}\"", SETS[pick(SETS.len())])).collect();
        let text = match pick(4) {
            0 => format!(",\"text\":\"{}\"", TEXTS[pick(TEXTS.len())]),
            _ => String::new(),
        };
        let body = format!("{{\"set\":[{}]{text}}}", sets.join(","));
        lines.push(format!("Content-Length: {}", body.len()));
        let path = ["run", "run", "scene"][pick(3)];
        format!("POST /api/{path} HTTP/1.1\r\n{}\r\n\r\n{body}", lines.join("\r\n"))
    } else {
        let method = ["GET", "GET", "GET", "POST", "HEAD", "OPTIONS", "get", ""][pick(8)];
        format!("{method} {} HTTP/1.1\r\n{}\r\n\r\n", PATHS[pick(PATHS.len())], lines.join("\r\n"))
    }
    .into_bytes();
    // A body that is announced and does not come, or comes unannounced, is not whole either.
    let mutations = pick(6_usize).saturating_sub(2);
    let whole = mutations == 0 && lines.len() < 4;
    for _ in 0..mutations {
        let place = pick(bytes.len().max(1));
        match pick(6) {
            _ if bytes.is_empty() => {}
            0 => bytes[place] ^= 1 << pick(8),
            1 => bytes[place] = pick(256) as u8,
            2 => bytes.truncate(place),
            3 => drop(bytes.drain(place..(place + 1 + pick(16)).min(bytes.len()))),
            4 => drop(bytes.splice(place..place, vec![b'a'; 1 << pick(16)])),
            _ => {
                let piece = bytes[place..(place + 40).min(bytes.len())].to_vec();
                bytes.splice(place..place, piece);
            }
        }
    }
    (bytes, whole)
}

/// What is wrong with an answer.
fn wrong(server: &mut Server, bytes: &[u8], answer: &str, time: Duration) -> Option<String> {
    if !matches!(server.child.try_wait(), Ok(None)) {
        return Some("the server is gone".into());
    }
    let patient = time < PATIENCE;
    if !patient && !is_run(bytes) {
        return Some(format!("no answer in {time:?}"));
    }
    // Runs that take longer are left; a cut request of a run has none either.
    let status = answer.split(' ').nth(1).unwrap_or_default();
    if patient && !answer.is_empty() && !STATUSES.contains(&status) {
        return Some(format!("status {status}"));
    }
    if answer.contains("root:x:") {
        return Some("a file was told".into());
    }
    let memory = server.memory();
    (memory > ROOM).then(|| format!("{memory} kB of memory"))
}
