/** Kubernetes access for Meshrelay: informers into collections, apply, status writer. */
export {};
