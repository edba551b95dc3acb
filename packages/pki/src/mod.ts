/** Keys, certificates and tokens of the relay and of the meshes. */
export type { ClusterCertificates, IssuedRecord, RevokedRecord, TrustRecord } from './book/book-record.ts';
export {
  CERTIFICATES_SECRET,
  certificateFacts,
  keyHashOf,
  readCertificateBook,
  writeCertificateBook,
} from './book/certificate-records.ts';
export {
  type CertificateCheckResult,
  type CertificateFacts,
  CertificateRegistry,
  MAX_LIVE_CERTIFICATES,
} from './book/certificate-registry.ts';
export {
  type Certificate,
  isSelfIssued,
  readCertificate,
  readCertificates,
  writeCertificates,
} from './certificate/certificate.ts';
export {
  type CertificateBundle,
  type CertificateSecret,
  certificateBundle,
  writeCertificateSecret,
} from './certificate/certificate-bundle.ts';
export { readTrustBundle, type TrustBundle, trustBundle, writeTrustBundle } from './certificate/trust-bundle.ts';
export { type AuthorityPem, type CertificateAuthority, readAuthority } from './issue/authority.ts';
export { createIntermediate, type IntermediateOptions, type IssueResult } from './issue/create-intermediate.ts';
export { createRoot, type RootOptions } from './issue/create-root.ts';
export { type AgentCertificateOptions, issueAgentCertificate } from './issue/issue-agent-certificate.ts';
export { issueServerCertificate, type ServerCertificateOptions } from './issue/issue-server-certificate.ts';
export { issueWorkloadCertificate, type WorkloadCertificateOptions } from './issue/issue-workload-certificate.ts';
export type { Issued } from './issue/issued.ts';
export { generateKey, type KeyPurpose } from './key/generate-key.ts';
export { readPrivateKey, writePrivateKey } from './key/private-key.ts';
export { type PemBlock, type PemLimits, readPem, writePem } from './pem.ts';
export { PkiError } from './pki-error.ts';
export type { PkiErrorCode } from './pki-error-code.ts';
export { type PossessionStatement, provePossession, renewalChallenge, verifyPossession } from './renewal/possession.ts';
export {
  type Lifetime,
  RENEWAL_GRACE_DAYS,
  type RenewalOptions,
  type RenewalState,
  renewAt,
  renewalState,
  renewDue,
} from './renewal/renewal.ts';
export { type CsrOptions, createCsr } from './request/create-csr.ts';
export { type CsrCheckResult, type CsrRejection, readCsr } from './request/read-csr.ts';
export {
  beginSwitch,
  dropPreviousSigning,
  NEXT_ROOT_SECRET,
  newRoot,
  phaseOf,
  type RotationPhase,
  switchRoot,
  switchServer,
  switchSigning,
  trustBoth,
  trustOne,
  turnBack,
} from './rotation/ca-rotation.ts';
export {
  type AgentIdentity,
  agentIdentity,
  CLUSTER_NAME,
  CLUSTER_NAME_SYNTAX,
  isClusterName,
  readAgentIdentity,
} from './spiffe/agent-identity.ts';
export { caTrustDomain } from './spiffe/ca-trust-domain.ts';
export {
  formatSpiffeId,
  type SpiffeId,
  type SpiffeIdParts,
  spiffeId,
  spiffeIdParts,
  type TrustDomain,
  trustDomain,
} from './spiffe/spiffe-id.ts';
export { createToken, Token, tokenHash } from './token/token.ts';
export {
  readTokenBook,
  TOKENS_KEY,
  TOKENS_SECRET,
  takesSharedToken,
  withSharedToken,
  withTokenBook,
} from './token/token-records.ts';
export {
  type DeclareOptions,
  type TokenCheckResult,
  type TokenRecord,
  TokenRegistry,
  type TokenRejection,
  type TokenUse,
} from './token/token-registry.ts';
export {
  type AcceptedIntermediate,
  type AcceptIntermediateOptions,
  acceptIntermediate,
} from './verify/accept-intermediate.ts';
export { type AcceptOptions, acceptIssued } from './verify/accept-issued.ts';
export { readSvid, type Svid } from './verify/svid.ts';
export { type ClientNames, type VerifiedClient, verifyClient } from './verify/verify-client.ts';
export type { VerifyFailure, VerifyFailureReason } from './verify/verify-failure.ts';
export { type PeerExpectation, type VerifiedPeer, type VerifyOptions, verifyPeer } from './verify/verify-peer.ts';
