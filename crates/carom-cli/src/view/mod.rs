//! `carom view`: the page of a run or a scene, served to this machine alone, which simulates anew
//! when a value is changed.
//!
//! | file | noun |
//! |---|---|
//! | `command` | arguments, address, Ctrl-C |
//! | `server` | connections: how long |
//! | `seats` | how many, and who gives way |
//! | `request`, `response` | HTTP/1.1, one request and its answer |
//! | `gate` | who is let in |
//! | `routes` | what is asked for |
//! | `workshop` | the scene, its documents, new runs |
//! | `turns` | how many runs go at once |
//! | `gauge` | how far they have come |
//! | `offer`, `starts`, `parameter`, `choices` | values and laws that can be changed |
//!
//! `httparse` reads heads of requests. The rest is a few hundred lines over `std::net`: one request per connection, exact
//! paths, sizes and times bounded, runs that end when their client has gone. ARCHITECTURE.md says what other crates cost.

mod choices;
mod command;
mod gate;
mod gauge;
mod offer;
mod parameter;
mod request;
mod response;
mod routes;
mod seats;
mod server;
mod starts;
mod turns;
mod workshop;

pub use command::run;
