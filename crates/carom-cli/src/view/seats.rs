//! Who is connected: so many at once.
//!
//! A client keeps the server waiting while its request is read and while its answer is sent. Where there is no seat left, the
//! one that has done so longest gives its seat up to the one that comes; one whose answer is being made keeps its own. So
//! connections that dribble, however often they are renewed, keep out each other and nobody else: a request that is sent at
//! once is read long before its turn to give way comes.

use std::collections::BTreeMap;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Seats of a server.
pub struct Seats {
    most: usize,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// Number of the next connection: they are in the order in which they came.
    next: u64,
    /// Those that are seated. With those that the server waits for, how their connection is ended if they give way.
    seated: BTreeMap<u64, Option<(TcpStream, Shutdown)>>,
}

impl Inner {
    fn seat(&mut self, waits: (TcpStream, Shutdown)) -> u64 {
        let number = self.next;
        self.next += 1;
        self.seated.insert(number, Some(waits));
        number
    }
}

/// A seat; given back when dropped, also if its thread panics.
pub struct Seat {
    seats: Arc<Seats>,
    number: u64,
}

impl Seats {
    /// So many.
    pub fn new(most: usize) -> Self {
        Self { most, inner: Mutex::default() }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // The map is whole after every statement.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A seat for a connection whose request is to be read, if need be that of another; none if the answers of all are
    /// being made.
    pub fn take(self: &Arc<Self>, stream: &TcpStream) -> io::Result<Option<Seat>> {
        // A reader comes to an end, and can still tell its client that it had to go.
        let waits = (stream.try_clone()?, Shutdown::Read);
        let mut inner = self.inner();
        if inner.seated.len() >= self.most {
            let longest = inner.seated.iter().find(|(_, waits)| waits.is_some());
            let Some(number) = longest.map(|(number, _)| *number) else { return Ok(None) };
            if let Some(Some((other, how))) = inner.seated.remove(&number) {
                let _ = other.shutdown(how);
            }
        }
        let number = inner.seat(waits);
        Ok(Some(Seat { seats: Arc::clone(self), number }))
    }

    /// How many are seated.
    pub fn taken(&self) -> usize {
        self.inner().seated.len()
    }
}

impl Seat {
    /// The answer is being made: the seat is kept. Whether it was still there.
    pub fn keep(&self) -> bool {
        self.seats.inner().seated.get_mut(&self.number).is_some_and(|waits| {
            *waits = None;
            true
        })
    }

    /// The answer is sent: it is the client that is waited for again, from now on.
    pub fn wait(&mut self, stream: &TcpStream) {
        let Ok(handle) = stream.try_clone() else { return };
        let mut inner = self.seats.inner();
        if inner.seated.remove(&self.number).is_some() {
            self.number = inner.seat((handle, Shutdown::Both));
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.seats.inner().seated.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    /// Two ends of a connection.
    fn pair(listener: &TcpListener) -> (TcpStream, TcpStream) {
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (client, listener.accept().unwrap().0)
    }

    #[test]
    fn those_who_say_nothing_give_way_in_turn() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let seats = Arc::new(Seats::new(2));
        let mut ends: Vec<_> = (0..4).map(|_| pair(&listener)).collect();
        let a = seats.take(&ends[0].1).unwrap().unwrap();
        let b = seats.take(&ends[1].1).unwrap().unwrap();
        assert!(a.keep(), "it is answered from now on");
        let mut c = seats.take(&ends[2].1).unwrap().unwrap();
        assert_eq!(ends[1].1.read(&mut [0]).unwrap(), 0, "the reader of the second is told");
        assert!(!b.keep() && c.keep() && a.keep());
        assert!(seats.take(&ends[3].1).unwrap().is_none(), "both answers are being made");
        drop(b);
        assert_eq!(seats.taken(), 2, "a seat that was lost is not given back");
        c.wait(&ends[2].1);
        let d = seats.take(&ends[3].1).unwrap().unwrap();
        assert!(ends[2].1.write_all(&[0]).is_err(), "it took too long to take its answer");
        drop((a, c, d));
        assert_eq!(seats.taken(), 0);
    }
}
