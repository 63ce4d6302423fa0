// What this browser remembers until the page is opened again.

const MOST_SEEN = 60;

export function stored(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

export function store(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Some browsers store nothing. Then the page begins anew each time.
  }
}

/** Which turn of each match this browser has shown last. */
export const seen = {
  get: (match) => (stored("seen") ?? []).find(([number]) => number === match)?.[1],
  set: (match, ply) => store("seen", [...(stored("seen") ?? []).filter(([number]) => number !== match).slice(-MOST_SEEN), [match, ply]]),
};
