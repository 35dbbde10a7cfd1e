//! What is asked for. Paths are compared as they are; none is ever the path of a file.

use serde_json::{Value, json};

use carom_report::page::live_page;

use super::gate::Gate;
use super::request::Request;
use super::response::Response;
use super::workshop::{Refusal, Workshop};

/// Paths of ready documents start so; their number follows.
const DOCUMENT: &str = "/api/document/";
/// Changes of one run, at most.
const MOST: usize = 1000;

/// The answer to a request that was let in; none if the client no longer waits for one.
pub fn answer(
    request: &Request,
    gate: &Gate,
    workshop: &Workshop,
    gone: &dyn Fn() -> bool,
) -> Option<Response> {
    let response = match (request.method.as_str(), request.path.as_str()) {
        ("GET", "/") => page(gate, workshop),
        ("GET", "/favicon.ico") => Response::nothing(),
        ("GET", "/api/scene") => match workshop.offer() {
            Ok(offer) => Response::json(200, offer),
            Err(refusal) => refused(&refusal),
        },
        ("POST", "/api/run") => match changes(&request.body) {
            Ok(changes) => match workshop.run(&changes, gone) {
                Ok(document) => Response::json(200, document),
                Err(Refusal::Cancelled) => return None,
                Err(refusal) => refused(&refusal),
            },
            Err(reason) => Response::refusal(400, reason),
        },
        ("GET", path) if path.starts_with(DOCUMENT) => {
            match workshop.document(&path[DOCUMENT.len()..]) {
                Some(document) => Response::json(200, document.into()),
                None => Response::refusal(404, "there is no such document"),
            }
        }
        (_, "/" | "/api/scene" | "/api/run") => Response::refusal(405, "not in this way"),
        _ => Response::refusal(404, "there is nothing here"),
    };
    Some(response)
}

fn page(gate: &Gate, workshop: &Workshop) -> Response {
    let settings = json!({ "token": gate.token, "runs": workshop.names() });
    Response::html(live_page(&settings.to_string()))
}

fn refused(refusal: &Refusal) -> Response {
    Response::json(422, json!({ "error": refusal.to_json() }).to_string())
}

/// The list `set` of a body `{"set": ["path=value", …]}`.
fn changes(body: &[u8]) -> Result<Vec<String>, &'static str> {
    const FORM: &str = "the body should be {\"set\": [\"path=value\", …]}";
    let value: Value = serde_json::from_slice(body).map_err(|_| FORM)?;
    let object = value.as_object().ok_or(FORM)?;
    if object.keys().any(|key| key != "set") {
        return Err(FORM);
    }
    let list = match object.get("set") {
        None => return Ok(Vec::new()),
        Some(list) => list.as_array().ok_or(FORM)?,
    };
    if list.len() > MOST {
        return Err("too many changes");
    }
    list.iter().map(|text| text.as_str().map(String::from).ok_or(FORM)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies() {
        assert_eq!(changes(b"{}"), Ok(vec![]));
        assert_eq!(changes(br#"{"set": ["a=1", "b=2"]}"#), Ok(vec!["a=1".into(), "b=2".into()]));
        for odd in ["", "[]", "{\"set\": 1}", "{\"set\": [1]}", "{\"file\": \"x\"}", "{\"set\": ["]
        {
            assert!(changes(odd.as_bytes()).is_err(), "{odd}");
        }
        let many = json!({ "set": vec!["a=1"; MOST + 1] }).to_string();
        assert!(changes(many.as_bytes()).is_err());
        let deep = "[".repeat(100_000);
        assert!(changes(deep.as_bytes()).is_err());
    }
}
