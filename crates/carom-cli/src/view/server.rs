//! Connections: one thread each, so many at once ([`Seats`]), one request each.

use std::cell::Cell;
use std::io::{ErrorKind, Read};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::gate::Gate;
use super::request::Request;
use super::response::Response;
use super::routes::answer;
use super::seats::{Seat, Seats};
use super::workshop::Workshop;

/// Connections at once, at most.
const MOST: usize = 64;
/// Time for a client to take a part of an answer, at most.
const TAKE: Duration = Duration::from_secs(30);
/// Time between two looks at whether a client is still there.
const LOOK: Duration = Duration::from_millis(20);
/// Time for answers under way when the server stops.
const GRACE: Duration = Duration::from_secs(1);

/// A server on this machine.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
}

/// What the connections share.
struct Shared {
    gate: Gate,
    workshop: Workshop,
    stop: Arc<AtomicBool>,
    seats: Arc<Seats>,
}

impl Server {
    /// A server at an address that is bound already.
    pub fn new(
        listener: TcpListener,
        gate: Gate,
        workshop: Workshop,
        stop: Arc<AtomicBool>,
    ) -> Self {
        let shared = Shared { gate, workshop, stop, seats: Arc::new(Seats::new(MOST)) };
        Self { listener, shared: Arc::new(shared) }
    }

    /// Serves until it is told to stop, and a connection wakes it.
    pub fn run(&self) {
        for stream in self.listener.incoming() {
            if self.shared.stop.load(Ordering::Relaxed) {
                break;
            }
            match stream {
                Ok(stream) => self.take(stream),
                // Too many open files, for example: others may be closed meanwhile.
                Err(_) => thread::sleep(LOOK),
            }
        }
        let end = Instant::now() + GRACE;
        while self.shared.seats.taken() > 0 && Instant::now() < end {
            thread::sleep(LOOK);
        }
    }

    fn take(&self, mut stream: TcpStream) {
        let _ = stream.set_write_timeout(Some(TAKE));
        let seat = match self.shared.seats.take(&stream) {
            Ok(Some(seat)) => seat,
            _ => return turn_away(&mut stream),
        };
        let shared = Arc::clone(&self.shared);
        // A thread that cannot be had leaves the connection to be closed, and its seat free.
        let _ = thread::Builder::new().spawn(move || serve(&mut stream, seat, &shared));
    }
}

/// Wakes a server that waits for a connection.
pub fn wake(address: SocketAddr) {
    let _ = TcpStream::connect_timeout(&address, GRACE);
}

/// The answer to a connection without a seat.
fn crowded() -> Response {
    Response::refusal(503, "too many connections")
}

/// Tells a connection that there is no seat for it, without waiting for it: of what it sends, what has come is read.
fn turn_away(stream: &mut TcpStream) {
    let told = crowded().send(stream).and_then(|()| stream.shutdown(Shutdown::Write));
    if told.and_then(|()| stream.set_nonblocking(true)).is_ok() {
        let mut rest = [0; 4096];
        (0..16).all(|_| matches!(stream.read(&mut rest), Ok(1..)));
    }
}

/// One request and its answer.
fn serve(stream: &mut TcpStream, mut seat: Seat, shared: &Shared) {
    let response = match Request::read(stream) {
        _ if !seat.keep() => crowded(),
        Ok(None) => return,
        Ok(Some(request)) => match shared.gate.refuses(&request) {
            Some(reason) => Response::refusal(403, reason),
            None => {
                let client = Client { stream, next: Cell::new(Instant::now()) };
                let gone = || shared.stop.load(Ordering::Relaxed) || client.is_gone();
                let Some(response) = answer(&request, &shared.gate, &shared.workshop, &gone) else {
                    return;
                };
                response
            }
        },
        Err(fault) => Response::refusal(fault.status, fault.reason),
    };
    seat.wait(stream);
    if stream.set_nonblocking(false).is_ok() && response.send(stream).is_ok() {
        part(stream);
    }
}

/// Ends a connection so that the client has the whole answer: what it still sends is read first,
/// because a connection that is closed over unread bytes is reset.
fn part(stream: &mut TcpStream) {
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.set_read_timeout(Some(LOOK));
    let end = Instant::now() + GRACE;
    let mut rest = [0; 4096];
    while Instant::now() < end && matches!(stream.read(&mut rest), Ok(1..)) {}
}

/// The other end of a connection while its answer is made.
struct Client<'a> {
    stream: &'a TcpStream,
    next: Cell<Instant>,
}

impl Client<'_> {
    /// Whether the client has closed the connection; asked of the system now and then only.
    fn is_gone(&self) -> bool {
        let now = Instant::now();
        if now < self.next.get() {
            return false;
        }
        self.next.set(now + LOOK);
        if self.stream.set_nonblocking(true).is_err() {
            return true;
        }
        match self.stream.peek(&mut [0]) {
            Ok(0) => true,
            Ok(_) => false,
            Err(e) => !matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted),
        }
    }
}
