//! The HTML file around a document.

mod support;

use carom_report::document::RunDocument;
use carom_report::page::{PAGE, live_page, report};
use carom_scene::Scene;
use support::scenes::{account, account_of};

/// The JSON between the tags of a script.
fn data<'a>(html: &'a str, id: &str) -> &'a str {
    let tag = format!("<script type=\"application/json\" id=\"{id}\">");
    let start = html.find(&tag).expect("the page holds data") + tag.len();
    let end = start + html[start..].find("</script>").unwrap();
    &html[start..end]
}

#[test]
fn the_page_has_one_place_for_data() {
    assert_eq!(PAGE.matches("<!--carom:data-->").count(), 1);
    assert_eq!(PAGE.matches("<title>carom</title>").count(), 1);
}

/// Nothing is fetched: no address of another place is loaded by the page.
#[test]
fn the_page_needs_no_network() {
    for tag in ["<script src", "<link rel=\"stylesheet\"", "@import", "url(http", "src=\"http"] {
        assert!(!PAGE.contains(tag), "{tag}");
    }
}

/// Texts of a scene cannot end the script they are in, nor start a new one.
#[test]
fn texts_stay_texts() {
    let evil = r#"</script><script>alert(1)</script><!--<script> & ]]> \u003c "#;
    let mut text = format!("title = '''{evil}'''\ndescription = '''{evil}'''\n");
    text.push_str(
        "[body.'</script><b>']\nmass = 1\nshape = { sphere = 0.1 }\nposition = [0, 0, 0.2]\n",
    );
    text.push_str("[body.ground]\nshape = \"plane\"\n[[contact]]\nname = '</SCRIPT >'\n");
    text.push_str("between = ['</script><b>', 'ground']\nrestitution = 0.5\nfriction = 0.1\n");
    text.push_str("[solver]\nuntil = 0.3\n");
    let scene = Scene::parse(&text, "evil.toml").unwrap();
    let account = account_of(scene, "evil", &[]);
    let document = RunDocument::new(&account).unwrap();
    let html = report(&document).unwrap();
    let json = data(&html, "carom-run");
    assert!(!json.contains('<'));
    let value: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(value["title"], evil);
    assert_eq!(value["description"], evil);
    assert_eq!(value["source"][0]["text"], text.as_str());
    assert_eq!(value["stage"]["bodies"][0]["name"], "</script><b>");
    assert_eq!(value["sites"][0]["name"], "</SCRIPT >");
    // The page around it is untouched but for its title, where texts are escaped.
    let title =
        "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!--&lt;script&gt; &amp; ]]&gt;";
    let start = html.find("<title>").unwrap();
    assert!(html[start..].starts_with(&format!("<title>{title}")), "{}", &html[start..start + 200]);
    let tags = |text: &str| text.matches("<script").count();
    assert_eq!(tags(&html), tags(PAGE) + 1);
}

#[test]
fn settings_of_a_viewer_are_data_too() {
    let page = live_page(r#"{"token":"</script>"}"#);
    assert_eq!(data(&page, "carom-live"), r#"{"token":"\u003c/script>"}"#);
    assert!(!page.contains("<!--carom:data-->"));
}

/// 10 s with a sample every 0.01 s: under 3 MB in all, page included.
#[test]
fn a_report_of_ten_seconds_is_small() {
    for (name, overrides) in [
        ("double_pendulum", vec![]),
        ("bicycle", vec![]),
        ("box_drop", vec!["solver.until=10", "output.interval=0.01"]),
        ("leg", vec!["solver.until=10", "output.interval=0.01"]),
        ("superball", vec!["solver.until=10", "output.interval=0.01"]),
    ] {
        let html = report(&RunDocument::new(&account(name, &overrides)).unwrap()).unwrap();
        assert!(html.len() < 3_000_000, "{name}: {} bytes", html.len());
        println!("{name}: {} kB", html.len() / 1000);
    }
}

/// The same run, the same bytes.
#[test]
fn reports_repeat() {
    let [a, b] = [(); 2].map(|()| {
        report(&RunDocument::new(&account("superball", &["solver.until=1"])).unwrap()).unwrap()
    });
    assert!(a == b);
}
