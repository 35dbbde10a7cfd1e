//! An answer.

use std::io::{Result, Write};

/// What the page may do: run its own script, draw, and ask this server. Nothing is loaded from
/// elsewhere, and no other page may show it in a frame.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                      img-src data: blob:; font-src data:; worker-src blob:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// An answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// Status.
    pub status: u16,
    /// Type of the body.
    pub kind: &'static str,
    /// Body.
    pub body: Vec<u8>,
}

impl Response {
    /// A page.
    pub fn html(body: String) -> Self {
        Self { status: 200, kind: "text/html; charset=utf-8", body: body.into_bytes() }
    }

    /// Data.
    pub fn json(status: u16, body: String) -> Self {
        Self { status, kind: "application/json", body: body.into_bytes() }
    }

    /// A refusal with its reason, in the form of all errors of the viewer.
    pub fn refusal(status: u16, reason: &str) -> Self {
        let error = serde_json::json!({ "message": reason, "hint": "", "place": null });
        Self::json(status, serde_json::json!({ "error": error }).to_string())
    }

    /// Nothing to be shown.
    pub fn nothing() -> Self {
        Self { status: 204, kind: "text/plain", body: Vec::new() }
    }

    /// Sends the answer; the connection is closed after it.
    pub fn send(&self, out: &mut impl Write) -> Result<()> {
        let Self { status, kind, body } = self;
        let head = format!(
            "HTTP/1.1 {status} {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
             Connection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
             Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
             Cross-Origin-Opener-Policy: same-origin\r\nContent-Security-Policy: {POLICY}\r\n\r\n",
            word(*status),
            body.len(),
        );
        out.write_all(head.as_bytes())?;
        out.write_all(body)?;
        out.flush()
    }
}

fn word(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        411 => "Length Required",
        413 => "Content Too Large",
        422 => "Unprocessable Content",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Error",
    }
}
