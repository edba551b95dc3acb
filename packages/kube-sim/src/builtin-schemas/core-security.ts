/** What a container may do on its node. */
import type { SchemaNode } from '../object.ts';
import { flag, int64, listOf, record, text } from './build.ts';

/** Which AppArmor profile confines a container. */
export const appArmorProfile: SchemaNode = record({ localhostProfile: text, type: text }, 'type');

const capabilities = record({ add: listOf(text), drop: listOf(text) });

/** The SELinux context of a container. */
export const sELinuxOptions: SchemaNode = record({ level: text, role: text, type: text, user: text });

/** Which seccomp profile confines a container. */
export const seccompProfile: SchemaNode = record({ localhostProfile: text, type: text }, 'type');

/** Security settings of a container on Windows. */
export const windowsSecurityContextOptions: SchemaNode = record({
  gmsaCredentialSpec: text,
  gmsaCredentialSpecName: text,
  hostProcess: flag,
  runAsUserName: text,
});

/** What a container may do. */
export const securityContext: SchemaNode = record({
  allowPrivilegeEscalation: flag,
  appArmorProfile,
  capabilities,
  privileged: flag,
  procMount: text,
  readOnlyRootFilesystem: flag,
  runAsGroup: int64,
  runAsNonRoot: flag,
  runAsUser: int64,
  seLinuxOptions: sELinuxOptions,
  seccompProfile,
  windowsOptions: windowsSecurityContextOptions,
});
