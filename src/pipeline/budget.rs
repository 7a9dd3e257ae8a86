//! How many bytes of text may be on their way between the threads of an import.

use std::sync::{Condvar, Mutex, PoisonError};

/// A bound on bytes in flight. One piece that is bigger than the bound passes alone.
pub(super) struct Budget {
    limit: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    taken: usize,
    closed: bool,
}

impl Budget {
    pub(super) fn new(limit: usize) -> Budget {
        Budget { limit, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Waits until there is room for `bytes`. False when the import has ended early.
    pub(super) fn take(&self, bytes: usize) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |state: &mut State| {
            !state.closed && state.taken > 0 && state.taken + bytes > self.limit
        };
        let state = self.changed.wait_while(state, full);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        state.taken += bytes;
        !state.closed
    }

    /// Gives room back.
    pub(super) fn give(&self, bytes: usize) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).taken -= bytes;
        self.changed.notify_all();
    }

    /// Lets everyone who waits go: nothing more will be taken.
    pub(super) fn close(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.changed.notify_all();
    }
}
