//! Who is let in, and what cannot hurt.

use crate::client::{Answer, PATIENCE, Server};
use carom_testing::scene;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

#[test]
fn strangers_are_refused() {
    let server = Server::start(&scene("ball.toml"));
    let host = server.host.clone();
    let port = host.rsplit(':').next().unwrap().to_string();
    let token = format!("X-Carom-Token: {}", server.token);
    let status = |path: &str, headers: &[String]| {
        let text = format!("GET {path} HTTP/1.1\r\n{}\r\n\r\n", headers.join("\r\n"));
        server.raw(text.as_bytes()).status
    };
    let own = format!("Host: {host}");
    assert_eq!(status("/", std::slice::from_ref(&own)), 200);
    assert_eq!(status("/", &[format!("Host: localhost:{port}")]), 200);
    assert_eq!(status("/api/scene", &[own.clone(), token.clone()]), 200);
    // Another name, another port, none: rebinding.
    for foreign in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1:1", "127.0.0.1", ""]
    {
        assert_eq!(status("/", &[format!("Host: {foreign}"), token.clone()]), 403, "{foreign}");
    }
    assert_eq!(status("/", std::slice::from_ref(&token)), 403, "no host");
    // Pages of others.
    for foreign in ["http://evil.example", "null", "http://127.0.0.1:1", &format!("https://{host}")]
    {
        let origin = format!("Origin: {foreign}");
        assert_eq!(status("/api/scene", &[own.clone(), token.clone(), origin]), 403, "{foreign}");
    }
    let origin = format!("Origin: http://{host}");
    assert_eq!(status("/api/scene", &[own.clone(), token.clone(), origin]), 200);
    // Without the token nothing is run or told.
    for path in ["/api/scene", "/api/document/0", "/api/run", "/api/anything"] {
        assert_eq!(status(path, std::slice::from_ref(&own)), 403, "{path}");
        assert_eq!(status(path, &[own.clone(), "X-Carom-Token: 0".into()]), 403, "{path}");
    }
    // A question of a browser before a foreign request is not answered as it would like.
    let asked = server.raw(
        format!("OPTIONS /api/run HTTP/1.1\r\n{own}\r\nOrigin: http://evil.example\r\n\r\n")
            .as_bytes(),
    );
    assert_eq!(asked.status, 403);
    assert!(!asked.head.to_lowercase().contains("access-control"), "{}", asked.head);
}

#[test]
fn the_page_may_load_nothing() {
    let server = Server::start(&scene("ball.toml"));
    let answer = server.get("/");
    for header in [
        "Content-Security-Policy: default-src 'none';",
        "frame-ancestors 'none'",
        "X-Content-Type-Options: nosniff",
        "Cache-Control: no-store",
        "Referrer-Policy: no-referrer",
    ] {
        assert!(answer.head.contains(header), "{}", answer.head);
    }
    assert!(server.line.trim_end().ends_with("shows ball.toml; Ctrl-C stops"), "{}", server.line);
}

/// It listens on 127.0.0.1 and nowhere else: the same port is free on other addresses of loopback.
#[cfg(target_os = "linux")]
#[test]
fn no_other_address() {
    let server = Server::start(&scene("ball.toml"));
    let port = server.host.rsplit(':').next().unwrap();
    assert!(TcpStream::connect(format!("127.0.0.2:{port}")).is_err());
    assert!(TcpListener::bind(format!("127.0.0.2:{port}")).is_ok());
}

#[test]
fn paths_are_no_files() {
    let server = Server::start(&scene("ball.toml"));
    for path in [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/etc/passwd",
        "//etc/passwd",
        "/ball.toml",
        "/api/document/0",
        "/api/document/-1",
        "/api/document/+0",
        "/api/document/00000000000000000000000000000",
        "/api/document/../scene",
        "/api/document/18446744073709551616",
        "/api//scene",
        "/api/scene/",
        "http://127.0.0.1/",
        "*",
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.body.contains("root:"));
    }
    // Nor are values: a robot description is not read because a page says so.
    let answer = server.run(&["urdf=[{ file = \"/etc/passwd\" }]"]);
    assert_eq!(answer.status, 422);
    assert!(!answer.body.contains("root:"), "{}", answer.body);
    assert_eq!(server.raw(server.text("PUT", "/api/scene", &[], "{}").as_bytes()).status, 405);
    assert_eq!(server.raw(server.text("POST", "/api/looks", &[], "{}").as_bytes()).status, 405);
    assert_eq!(server.raw(server.text("DELETE", "/", &[], "").as_bytes()).status, 405);
    assert_eq!(server.get("/favicon.ico").status, 204);
}

/// Texts of the scene from a page name no file that the scene does not, by whatever way they say it.
#[test]
fn texts_name_no_files() {
    let server = Server::start(&scene("ball.toml"));
    let ball = std::fs::read_to_string(scene("ball.toml")).unwrap();
    for (way, file) in [
        ("[[urdf]]\nfile = \"/etc/passwd\"\n", "/etc/passwd"),
        ("urdf = [{ \"file\" = '/etc/passwd' }]\n", "/etc/passwd"),
        ("[[urdf]]\nfile = \"\\u002fetc/passwd\"\n", "/etc/passwd"),
        ("[[urdf]]\nfile = \"leg.urdf\"\n", "leg.urdf"),
        ("[controller.a]\ntype = \"table\"\nfile = \"leg.toml\"\n", "leg.toml"),
    ] {
        // A key of the scene itself must stand before its tables.
        let text =
            if way.starts_with("urdf") { format!("{way}{ball}") } else { format!("{ball}{way}") };
        for path in ["/api/scene", "/api/run"] {
            let body = serde_json::json!({ "text": text }).to_string();
            let answer = server.raw(server.text("POST", path, &[], &body).as_bytes());
            assert_eq!(answer.status, 422, "{way}");
            assert!(!answer.body.contains("root:"), "{way}: {}", answer.body);
            assert!(answer.body.contains(&format!("names the file `{file}`")), "{}", answer.body);
        }
    }
}

#[test]
fn too_much_is_refused() {
    let server = Server::start(&scene("ball.toml"));
    let host = &server.host;
    let long = "x".repeat(1 << 20);
    let many = format!("GET / HTTP/1.1\r\nHost: {host}\r\nX-Long: {long}\r\n\r\n");
    assert_eq!(server.raw(many.as_bytes()).status, 431);
    assert_eq!(server.raw(format!("GET /{long} HTTP/1.1\r\n\r\n").as_bytes()).status, 431);
    assert_eq!(server.raw(server.text("POST", "/api/run", &[], &long).as_bytes()).status, 413);
    let huge = format!(
        "POST /api/run HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999999999999999999\r\n\r\n"
    );
    assert_eq!(server.raw(huge.as_bytes()).status, 413);
    for odd in [
        "\r\n\r\n".to_string(),
        "GET / HTTP/2\r\n\r\n".into(),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1x\r\n\r\n"),
    ] {
        assert_eq!(server.raw(odd.as_bytes()).status, 400, "{odd}");
    }
    assert_eq!(server.raw(b"\xff\xfe\x00\r\n\r\n").status, 400);
    let chunked = format!(
        "POST /api/run HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    );
    assert_eq!(server.raw(chunked.as_bytes()).status, 411);
    for odd in ["", "[", "{\"set\": \"a\"}", "{\"file\": \"/etc/passwd\"}"] {
        let answer = server.raw(server.text("POST", "/api/run", &[], odd).as_bytes());
        assert_eq!(answer.status, 400, "{odd}");
        assert!(answer.json()["error"]["message"].is_string());
    }
    assert_eq!(server.get("/").status, 200, "and it still serves");
}

/// A client that dribbles is sent away; others are served meanwhile.
#[test]
fn slow_clients_do_not_stop_others() {
    let server = Server::start(&scene("ball.toml"));
    let mut slow: Vec<TcpStream> = (0..20).map(|_| server.connect()).collect();
    for stream in &mut slow {
        stream.write_all(b"GET /").unwrap();
    }
    let start = Instant::now();
    assert_eq!(server.get("/").status, 200);
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    // One byte a second is not a request.
    let mut drip = slow.pop().unwrap();
    let mut status = None;
    drip.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    while start.elapsed() < PATIENCE {
        let _ = drip.write_all(b"x");
        let mut part = [0; 64];
        match drip.read(&mut part) {
            Ok(count) => {
                status = Some(String::from_utf8_lossy(&part[..count]).into_owned());
                break;
            }
            Err(_) => continue,
        }
    }
    assert!(status.as_ref().is_some_and(|s| s.starts_with("HTTP/1.1 408")), "{status:?}");
    assert!(start.elapsed() < Duration::from_secs(30));
    for mut stream in slow {
        assert_eq!(Answer::read(&mut stream).status, 408);
    }
}

/// Answers under way fill the room; more connections are turned away, and there is room again afterwards.
#[test]
fn crowds_are_turned_away() {
    let server = Server::start(&scene("pendulum.toml"));
    let body = r#"{"set": ["solver.until=1e9", "output.interval=1e8"]}"#;
    let text = server.text("POST", "/api/run", &[], body);
    let ask = || {
        let mut stream = server.connect();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    };
    let mut crowd: Vec<TcpStream> = (0..64).map(|_| ask()).collect();
    let start = Instant::now();
    // One whose request has not been read yet gives way; another takes its place.
    let mut status = 0;
    while status != 503 && start.elapsed() < PATIENCE {
        crowd.push(ask());
        std::thread::sleep(Duration::from_millis(20));
        status = server.get("/").status;
    }
    assert_eq!(status, 503);
    drop(crowd);
    while status != 200 && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
        status = server.get("/").status;
    }
    assert_eq!(status, 200);
}

/// Connections that say nothing, or take nothing of their answer, are renewed all the time: others are served at once.
#[test]
fn renewed_slow_connections_keep_nobody_out() {
    let server = Server::start(&scene("ball.toml"));
    for say in ["GET /", &server.text("GET", "/", &[], "")] {
        let mut slow: Vec<TcpStream> = Vec::new();
        for round in 0..200 {
            let mut stream = server.connect();
            stream.write_all(say.as_bytes()).unwrap();
            slow.push(stream);
            if slow.len() > 100 {
                slow.remove(0);
            }
            if round % 10 == 9 {
                let start = Instant::now();
                assert_eq!(server.get("/api/scene").status, 200, "{say:?}, round {round}");
                assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
            }
        }
    }
}

/// Quotes anywhere in a key are read as they will be when the change is applied.
#[test]
fn no_spelling_of_a_key_names_a_file() {
    let scratch = carom_testing::Scratch::new("leak");
    let secret = scratch.path("secret.txt");
    std::fs::write(&secret, "s3cret-first-cell,b\n1,2\n").unwrap();
    let secret = secret.display();
    let server = Server::start(&scene("jumper.toml"));
    for change in [
        format!("u\"r\"df=[{{file=\"{secret}\"}}]"),
        format!("\"ur\"\"df\".0.file={secret}"),
        format!("cont\"r\"oller={{jump={{type=\"table\",file=\"{secret}\"}}}}"),
        format!("controller.\"j\"ump.file={secret}"),
        format!("body.body.shape={{\"m\\u0065sh\"=\"{secret}.stl\"}}"),
    ] {
        let answer = server.run(&[&change]);
        assert_eq!(answer.status, 422, "{change}");
        let text = answer.json().to_string();
        assert!(text.contains("may name files") && !text.contains("s3cret"), "{change}: {text}");
    }
}

/// A run that would fill the memory is refused before it starts, and at once.
#[test]
fn samples_of_a_live_run_are_bounded() {
    let server = Server::start(&scene("ball.toml"));
    let start = Instant::now();
    let answer = server.run(&["output.interval=1e-12"]);
    assert_eq!(answer.status, 422);
    assert!(answer.json()["error"]["message"].as_str().unwrap().contains("samples"));
    assert!(start.elapsed() < PATIENCE);
    assert_eq!(server.run(&["output.interval=1e-3"]).status, 200);
}
