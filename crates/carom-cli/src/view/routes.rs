//! What is asked for. Paths are compared as they are; none is ever the path of a file.

use serde_json::{Value, json};

use carom_report::page::live_page;

use super::gate::Gate;
use super::gauge::is_name;
use super::request::Request;
use super::response::Response;
use super::workshop::{Order, Refusal, Workshop};

/// Paths of ready documents start so; their number follows.
const DOCUMENT: &str = "/api/document/";
/// Paths of gauges start so; the name of the run follows.
const PROGRESS: &str = "/api/progress/";
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
        ("GET", "/api/scene") => told(workshop.offer(None)),
        ("POST", "/api/scene") => match order(&request.body) {
            Ok(order) => told(workshop.offer(order.text.as_deref())),
            Err(reason) => Response::refusal(400, reason),
        },
        ("GET", "/api/looks") => told(workshop.looks()),
        ("GET", "/api/stamp") => Response::json(200, workshop.stamp()),
        ("POST", "/api/run") => match order(&request.body) {
            Ok(order) => match workshop.run(&order, gone) {
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
        ("GET", path) if path.strip_prefix(PROGRESS).is_some_and(is_name) => {
            Response::json(200, workshop.gauges.read(&path[PROGRESS.len()..]))
        }
        (_, "/" | "/api/scene" | "/api/looks" | "/api/stamp" | "/api/run") => {
            Response::refusal(405, "not in this way")
        }
        _ => Response::refusal(404, "there is nothing here"),
    };
    Some(response)
}

fn page(gate: &Gate, workshop: &Workshop) -> Response {
    let settings = json!({ "token": gate.token, "runs": workshop.names() });
    Response::html(live_page(&settings.to_string()))
}

/// An answer as JSON, or why there is none.
fn told(answer: Result<String, Refusal>) -> Response {
    answer.map_or_else(|refusal| refused(&refusal), |json| Response::json(200, json))
}

fn refused(refusal: &Refusal) -> Response {
    Response::json(422, json!({ "error": refusal.to_json() }).to_string())
}

/// The order of a body `{"set": ["path=value", …], "name": "…", "text": "…"}`; each may be missing.
fn order(body: &[u8]) -> Result<Order, &'static str> {
    const FORM: &str = "the body should be {\"set\": [\"path=value\", …]}";
    let value: Value = serde_json::from_slice(body).map_err(|_| FORM)?;
    let object = value.as_object().ok_or(FORM)?;
    if object.keys().any(|key| !matches!(key.as_str(), "set" | "name" | "text")) {
        return Err(FORM);
    }
    let name = match object.get("name") {
        None => None,
        Some(name) => Some(name.as_str().filter(|n| is_name(n)).ok_or("a name is of letters")?),
    };
    let text = match object.get("text") {
        None => None,
        Some(text) => Some(text.as_str().ok_or(FORM)?.to_string()),
    };
    let nothing = Vec::new();
    let list = match object.get("set") {
        None => &nothing,
        Some(list) => list.as_array().ok_or(FORM)?,
    };
    if list.len() > MOST {
        return Err("too many changes");
    }
    let change = |text: &Value| text.as_str().map(String::from).ok_or(FORM);
    let set: Result<Vec<String>, &str> = list.iter().map(change).collect();
    Ok(Order { set: set?, name: name.map(String::from), text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies() {
        assert_eq!(order(b"{}"), Ok(Order::default()));
        let set = vec!["a=1".to_string(), "b=2".into()];
        assert_eq!(order(br#"{"set": ["a=1", "b=2"]}"#), Ok(Order { set, ..Order::default() }));
        assert_eq!(order(br#"{"name": "x-1"}"#).unwrap().name.as_deref(), Some("x-1"));
        for odd in [
            "",
            "[]",
            r#"{"set": 1}"#,
            r#"{"set": [1]}"#,
            r#"{"file": "x"}"#,
            r#"{"set": ["#,
            r#"{"name": "a/b"}"#,
            r#"{"name": 1}"#,
            r#"{"text": 1}"#,
        ] {
            assert!(order(odd.as_bytes()).is_err(), "{odd}");
        }
        let many = json!({ "set": vec!["a=1"; MOST + 1] }).to_string();
        assert!(order(many.as_bytes()).is_err());
        let deep = "[".repeat(100_000);
        assert!(order(deep.as_bytes()).is_err());
    }
}
