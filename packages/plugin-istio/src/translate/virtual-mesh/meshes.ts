/** `trustDomainAliases` in the mesh configuration: the trust domains of other members whose workloads may call in. */
import { trustDomains } from '../trust-domains.ts';
import type { VirtualMeshField } from './field.ts';

export const meshes: VirtualMeshField<'meshes'> = { capabilities: {}, translate: trustDomains };
