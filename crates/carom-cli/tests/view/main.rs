//! `carom view` through the binary: what it serves, to whom, and how it stops. Loopback only, every
//! wait bounded.

mod client;
mod live;
mod security;
