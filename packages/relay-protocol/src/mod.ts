/** The relay between agents and management server: messages, streams, chunking. */
export {};
