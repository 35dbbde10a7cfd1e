//! One HTTP/1.1 request, with bounds on its size and its time.
//!
//! | more than | answer |
//! |---|---|
//! | [`HEAD`] bytes before the body | 431 |
//! | [`BODY`] bytes of body | 413 |
//! | [`PATIENCE`] from the first byte to the last | 408 |
//!
//! `httparse` reads the request line and the headers. A body needs a `Content-Length`; other encodings are refused. Names of headers are compared
//! without case; a header that is given twice makes the request bad, because two readers might take
//! different ones.

use std::io::{ErrorKind, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Bytes of the request line and headers, at most.
pub const HEAD: usize = 16 << 10;
/// Headers, at most.
const HEADERS: usize = 64;
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

const LONG: Unreadable = Unreadable { status: 431, reason: "the headers are too long" };

impl Request {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Reads a request; none if the client closed before it said anything.
    pub fn read(stream: &mut TcpStream) -> Result<Option<Self>, Unreadable> {
        let mut reader = Reader { stream, buffer: Vec::new(), deadline: Instant::now() + PATIENCE };
        let Some((mut request, start)) = reader.head()? else { return Ok(None) };
        let length = length(&request)?;
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
    /// The request without its body, and where that starts.
    fn head(&mut self) -> Result<Option<(Request, usize)>, Unreadable> {
        loop {
            if let Some(found) = head(&self.buffer)? {
                return Ok(Some(found));
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

/// The request line and the headers, and where they end; none if more is to come.
fn head(bytes: &[u8]) -> Result<Option<(Request, usize)>, Unreadable> {
    // Blank lines before a request are for connections that are used again.
    if matches!(bytes.first(), Some(b'\r' | b'\n')) {
        return Err(bad("a request starts with its method"));
    }
    let mut room = [httparse::EMPTY_HEADER; HEADERS];
    let mut parsed = httparse::Request::new(&mut room);
    let end = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(end)) if end <= HEAD => end,
        Ok(httparse::Status::Partial) if bytes.len() <= HEAD => return Ok(None),
        Ok(_) | Err(httparse::Error::TooManyHeaders) => return Err(LONG),
        Err(_) => return Err(bad("this is not a request of HTTP/1.1")),
    };
    let mut headers: Vec<(String, String)> = Vec::new();
    for header in parsed.headers {
        let name = header.name.to_ascii_lowercase();
        let value = std::str::from_utf8(header.value).map_err(|_| bad("a header is not text"))?;
        if headers.iter().any(|(other, _)| *other == name) {
            return Err(bad("a header is given twice"));
        }
        headers.push((name, value.trim().into()));
    }
    let method = parsed.method.unwrap_or_default().to_string();
    let path = parsed.path.and_then(|p| p.split('?').next()).unwrap_or_default().to_string();
    Ok(Some((Request { method, path, headers, body: Vec::new() }, end)))
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

    /// A request without a body.
    fn read(text: &str) -> Result<Request, Unreadable> {
        head(format!("{text}\r\n\r\n").as_bytes()).map(|found| found.expect("it is whole").0)
    }

    #[test]
    fn heads() {
        let r = read("GET /a?b HTTP/1.1\r\nHost: x:1\r\nX-Carom-Token:  t ").unwrap();
        assert_eq!((r.method.as_str(), r.path.as_str()), ("GET", "/a"));
        assert_eq!((r.header("host"), r.header("x-carom-token")), (Some("x:1"), Some("t")));
        for odd in [
            "GET / HTTP/2",
            "GET /",
            "GET / HTTP/1.1 x",
            "GET / HTTP/1.1\r\nno colon",
            "GET / HTTP/1.1\r\nHost: a\r\nhost: b",
            "GET / HTTP/1.1\r\n folded: a",
            "GET / HTTP/1.1\r\nodd name: a",
            "GET / HTTP/1.1\r\nx: a\u{0}b",
        ] {
            assert_eq!(read(odd).unwrap_err().status, 400, "{odd}");
        }
    }

    /// What is not whole yet, where the body starts, and what is too long.
    #[test]
    fn ends() {
        assert_eq!(head(b"GET / HTTP/1.1\r\nHost: x"), Ok(None));
        let whole = b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nab";
        assert_eq!(head(whole).unwrap().unwrap().1, whole.len() - 2);
        let long = format!("GET / HTTP/1.1\r\nx: {}", "a".repeat(HEAD));
        assert_eq!(head(long.as_bytes()), Err(LONG));
        assert_eq!(read(&long), Err(LONG));
        let many: String = (0..=HEADERS).map(|k| format!("\r\nx{k}: 1")).collect();
        assert_eq!(read(&format!("GET / HTTP/1.1{many}")), Err(LONG));
    }

    #[test]
    fn lengths() {
        let of = |text: &str| length(&read(text).unwrap());
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
