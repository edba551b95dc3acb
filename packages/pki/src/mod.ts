/** Keys, CSRs, issuing, verification and tokens for Meshrelay. */
export {};
