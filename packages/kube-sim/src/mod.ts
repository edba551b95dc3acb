/** An embedded Kubernetes API server for demos, tests and plugin authors. */
export {};
