//! `carom impact` and `carom laws` through the binary: answers, errors, exit codes.

mod answers;
mod command;
mod faults;
