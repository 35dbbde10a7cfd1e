//! Brute-force integration in impulse space: small steps, the friction law at each step, no events.
