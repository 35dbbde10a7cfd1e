//! What motors, contacts and held accelerations are called in messages.

/// Names by place; a place without a name is called by its number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names {
    /// Of motors.
    pub motors: Vec<String>,
    /// Of cones.
    pub contacts: Vec<String>,
    /// Of held accelerations.
    pub held: Vec<String>,
}

impl Names {
    /// A motor.
    pub fn motor(&self, i: usize) -> String {
        named(&self.motors, "motor", i)
    }

    /// A contact.
    pub fn contact(&self, i: usize) -> String {
        named(&self.contacts, "contact", i)
    }

    /// A held acceleration.
    pub fn held(&self, i: usize) -> String {
        named(&self.held, "held acceleration", i)
    }
}

fn named(list: &[String], sort: &str, i: usize) -> String {
    match list.get(i) {
        Some(name) => format!("{sort} `{name}`"),
        None => format!("{sort} {}", i + 1),
    }
}
