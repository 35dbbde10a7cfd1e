//! A server in a process of its own, and requests to it.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Longest wait for anything.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub fn carom() -> Command {
    Command::new(env!("CARGO_BIN_EXE_carom"))
}

/// A server; killed when dropped, if it still runs.
pub struct Server {
    pub child: Child,
    /// `127.0.0.1:PORT`.
    pub host: String,
    /// What it said.
    pub line: String,
    pub token: String,
}

impl Server {
    /// Serves a run or a scene and reads the token from its page.
    pub fn start(target: &Path) -> Self {
        let mut child = carom()
            .arg("view")
            .arg(target)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let host =
            line.strip_prefix("http://").and_then(|l| l.split('/').next()).unwrap_or_default();
        assert!(host.starts_with("127.0.0.1:"), "{line}");
        let (host, token) = (host.to_string(), String::new());
        let mut server = Self { child, host, line, token };
        let page = server.get("/").body;
        server.token = settings(&page)["token"].as_str().unwrap().to_string();
        server
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends bytes as they are.
    pub fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that refuses early may close before all is sent.
        let _ = stream.write_all(bytes);
        Answer::read(&mut stream)
    }

    /// A request with its own host and token, and further headers.
    pub fn text(&self, method: &str, path: &str, more: &[(&str, &str)], body: &str) -> String {
        let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n", self.host);
        if !self.token.is_empty() {
            text.push_str(&format!("X-Carom-Token: {}\r\n", self.token));
        }
        for (name, value) in more {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        if method == "POST" {
            text.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        format!("{text}\r\n{body}")
    }

    pub fn get(&self, path: &str) -> Answer {
        self.raw(self.text("GET", path, &[], "").as_bytes())
    }

    /// Runs the scene with changes.
    pub fn run(&self, set: &[&str]) -> Answer {
        let body = serde_json::json!({ "set": set }).to_string();
        self.raw(
            self.text("POST", "/api/run", &[("Content-Type", "application/json")], &body)
                .as_bytes(),
        )
    }

    /// Waits for the process to end by itself.
    pub fn wait(&mut self) -> Option<i32> {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the server does not stop");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The settings in a page of the viewer.
pub fn settings(page: &str) -> Value {
    let start = page.find("id=\"carom-live\">").expect("the page has settings");
    let rest = &page[start + "id=\"carom-live\">".len()..];
    serde_json::from_str(&rest[..rest.find("</script>").unwrap()]).unwrap()
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn read(stream: &mut TcpStream) -> Self {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
        Self { status, head: head.into(), body: body.into() }
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.body))
    }
}
