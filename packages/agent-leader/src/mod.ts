/** Kubernetes Lease election with fencing terms. */
export {};
