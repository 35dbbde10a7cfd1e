//! One HTTP/1.1 request, with bounds on its size and its time.
//!
//! | more than | answer |
//! |---|---|
//! | [`HEAD`] bytes before the body | 431 |
//! | [`BODY`] bytes of body | 413 |
//! | [`PATIENCE`] from the first byte to the last | 408 |
//!
//! A body needs a `Content-Length`; other encodings are refused. Names of headers are compared
//! without case; a header that is given twice makes the request bad, because two readers might take
//! different ones.

use std::io::{ErrorKind, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Bytes of the request line and headers, at most.
pub const HEAD: usize = 16 << 10;
/// Bytes of a body, at most.
pub const BODY: usize = 256 << 10;
/// Time for a whole request, at most.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// A request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `POST` and so on.
    pub method: String,
    /// Path without what follows a `?`.
    pub path: String,
    /// Headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Body.
    pub body: Vec<u8>,
}

/// Why a request was not understood: status, and a reason for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreadable {
    /// Status of the answer.
    pub status: u16,
    /// The reason.
    pub reason: &'static str,
}

const fn bad(reason: &'static str) -> Unreadable {
    Unreadable { status: 400, reason }
}

impl Request {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Reads a request; none if the client closed before it said anything.
    pub fn read(stream: &mut TcpStream) -> Result<Option<Self>, Unreadable> {
        let mut reader = Reader { stream, buffer: Vec::new(), deadline: Instant::now() + PATIENCE };
        let Some(end) = reader.head()? else { return Ok(None) };
        let mut request = head(&reader.buffer[..end])?;
        let length = length(&request)?;
        let start = end + 4;
        while reader.buffer.len() < start + length {
            if reader.more()? == 0 {
                return Err(bad("the body is shorter than it says"));
            }
        }
        request.body = reader.buffer[start..start + length].to_vec();
        Ok(Some(request))
    }
}

/// Reads until a deadline.
struct Reader<'a> {
    stream: &'a mut TcpStream,
    buffer: Vec<u8>,
    deadline: Instant,
}

impl Reader<'_> {
    /// Where the blank line after the headers starts.
    fn head(&mut self) -> Result<Option<usize>, Unreadable> {
        loop {
            if let Some(end) = self.buffer.windows(4).position(|w| w == b"\r\n\r\n") {
                return Ok(Some(end));
            }
            if self.buffer.len() > HEAD {
                return Err(Unreadable { status: 431, reason: "the headers are too long" });
            }
            if self.more()? == 0 {
                let silent = self.buffer.is_empty();
                return if silent { Ok(None) } else { Err(bad("the request is cut")) };
            }
        }
    }

    /// Reads some bytes; how many.
    fn more(&mut self) -> Result<usize, Unreadable> {
        const LATE: Unreadable = Unreadable { status: 408, reason: "the request took too long" };
        let mut part = [0; 4096];
        loop {
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || self.stream.set_read_timeout(Some(left)).is_err() {
                return Err(LATE);
            }
            match self.stream.read(&mut part) {
                Ok(count) => {
                    self.buffer.extend_from_slice(&part[..count]);
                    return Ok(count);
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    return Err(LATE);
                }
                // A connection that breaks off is as one that ends.
                Err(_) => return Ok(0),
            }
        }
    }
}

/// The request line and the headers.
fn head(bytes: &[u8]) -> Result<Request, Unreadable> {
    if bytes.len() > HEAD {
        return Err(Unreadable { status: 431, reason: "the headers are too long" });
    }
    let text = std::str::from_utf8(bytes).map_err(|_| bad("the headers are not text"))?;
    let mut lines = text.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (method, target, version) = (words.next(), words.next(), words.next());
    let (Some(method), Some(target), Some("HTTP/1.1" | "HTTP/1.0"), None) =
        (method, target, version, words.next())
    else {
        return Err(bad("this is not a request of HTTP/1.1"));
    };
    let mut headers: Vec<(String, String)> = Vec::new();
    for line in lines {
        let (name, value) = line.split_once(':').ok_or(bad("a header has no colon"))?;
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if name.is_empty() || !name.chars().all(plain) {
            return Err(bad("a header has an odd name"));
        }
        let name = name.to_ascii_lowercase();
        if headers.iter().any(|(other, _)| *other == name) {
            return Err(bad("a header is given twice"));
        }
        headers.push((name, value.trim().into()));
    }
    let path = target.split('?').next().unwrap_or_default();
    Ok(Request { method: method.into(), path: path.into(), headers, body: Vec::new() })
}

/// Length of the body.
fn length(request: &Request) -> Result<usize, Unreadable> {
    if request.header("transfer-encoding").is_some() {
        return Err(Unreadable { status: 411, reason: "a body needs a Content-Length" });
    }
    let Some(length) = request.header("content-length") else {
        return match request.method.as_str() {
            "POST" => Err(Unreadable { status: 411, reason: "a body needs a Content-Length" }),
            _ => Ok(0),
        };
    };
    let digits = !length.is_empty() && length.bytes().all(|b| b.is_ascii_digit());
    match length.parse::<usize>() {
        Ok(length) if digits && length <= BODY => Ok(length),
        // Digits beyond any number are too many as well.
        _ if digits => Err(Unreadable { status: 413, reason: "the body is too long" }),
        _ => Err(bad("Content-Length is no number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads() {
        let r = head(b"GET /a?b HTTP/1.1\r\nHost: x:1\r\nX-Carom-Token:  t ").unwrap();
        assert_eq!((r.method.as_str(), r.path.as_str()), ("GET", "/a"));
        assert_eq!((r.header("host"), r.header("x-carom-token")), (Some("x:1"), Some("t")));
        for odd in [
            "GET / HTTP/2",
            "GET /",
            "GET / HTTP/1.1 x",
            "GET / HTTP/1.1\r\nno colon",
            "GET / HTTP/1.1\r\nHost: a\r\nhost: b",
            "GET / HTTP/1.1\r\n folded: a",
        ] {
            assert_eq!(head(odd.as_bytes()).unwrap_err().status, 400, "{odd}");
        }
    }

    #[test]
    fn lengths() {
        let of = |head_text: &str| length(&head(head_text.as_bytes()).unwrap());
        assert_eq!(of("GET / HTTP/1.1"), Ok(0));
        assert_eq!(of("POST / HTTP/1.1\r\nContent-Length: 7"), Ok(7));
        let status = |text| of(text).unwrap_err().status;
        assert_eq!(status("POST / HTTP/1.1"), 411);
        assert_eq!(status("POST / HTTP/1.1\r\nTransfer-Encoding: chunked"), 411);
        assert_eq!(status("POST / HTTP/1.1\r\nContent-Length: -1"), 400);
        assert_eq!(status("POST / HTTP/1.1\r\nContent-Length: +1"), 400);
        assert_eq!(status("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999"), 413);
        assert_eq!(status(&format!("POST / HTTP/1.1\r\nContent-Length: {}", BODY + 1)), 413);
    }
}
