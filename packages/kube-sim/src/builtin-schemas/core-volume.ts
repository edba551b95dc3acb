/** What a pod can mount. */
import type { SchemaNode } from '../object.ts';
import { objectMetaSchema } from '../schema/object-meta.ts';
import { flag, int32, int64, listOf, mapOf, or, quantity, record, text, textOr } from './build.ts';
import {
  keyToPath,
  objectFieldSelector,
  resourceFieldSelector,
  typedLocalObjectReference,
  typedObjectReference,
} from './core-reference.ts';
import {
  aWSElasticBlockStoreVolumeSource,
  azureDiskVolumeSource,
  azureFileVolumeSource,
  cephFSVolumeSource,
  cinderVolumeSource,
  cSIVolumeSource,
  fCVolumeSource,
  flexVolumeSource,
  flockerVolumeSource,
  gCEPersistentDiskVolumeSource,
  glusterfsVolumeSource,
  iSCSIVolumeSource,
  nFSVolumeSource,
  photonPersistentDiskVolumeSource,
  portworxVolumeSource,
  quobyteVolumeSource,
  rBDVolumeSource,
  scaleIOVolumeSource,
  storageOSVolumeSource,
  vsphereVirtualDiskVolumeSource,
} from './core-volume-remote.ts';
import { labelSelector } from './meta.ts';

const configMapVolumeSource = record({
  defaultMode: or(int32, 420),
  items: listOf(keyToPath),
  name: text,
  optional: flag,
});

const downwardAPIVolumeFile = record(
  { fieldRef: objectFieldSelector, mode: int32, path: text, resourceFieldRef: resourceFieldSelector },
  'path',
);

const downwardAPIVolumeSource = record({ defaultMode: or(int32, 420), items: listOf(downwardAPIVolumeFile) });

const emptyDirVolumeSource = record({ medium: text, sizeLimit: quantity });

const volumeResourceRequirements = record({ limits: mapOf(quantity), requests: mapOf(quantity) });

/** What a claim for storage asks for. */
export const persistentVolumeClaimSpec: SchemaNode = record({
  accessModes: listOf(text),
  dataSource: typedLocalObjectReference,
  dataSourceRef: typedObjectReference,
  resources: volumeResourceRequirements,
  selector: labelSelector,
  storageClassName: text,
  volumeAttributesClassName: text,
  volumeMode: text,
  volumeName: text,
});

const persistentVolumeClaimTemplate = record({ metadata: objectMetaSchema, spec: persistentVolumeClaimSpec }, 'spec');

const ephemeralVolumeSource = record({ volumeClaimTemplate: persistentVolumeClaimTemplate });

const gitRepoVolumeSource = record({ directory: text, repository: text, revision: text }, 'repository');

const hostPathVolumeSource = record({ path: text, type: textOr('') }, 'path');

const imageVolumeSource = record({ pullPolicy: text, reference: text });

const persistentVolumeClaimVolumeSource = record({ claimName: text, readOnly: flag }, 'claimName');

const clusterTrustBundleProjection = record(
  { labelSelector, name: text, optional: flag, path: text, signerName: text },
  'path',
);

const configMapProjection = record({ items: listOf(keyToPath), name: text, optional: flag });

const downwardAPIProjection = record({ items: listOf(downwardAPIVolumeFile) });

const podCertificateProjection = record(
  {
    certificateChainPath: text,
    credentialBundlePath: text,
    keyPath: text,
    keyType: text,
    maxExpirationSeconds: int32,
    signerName: text,
  },
  'keyType',
  'signerName',
);

const secretProjection = record({ items: listOf(keyToPath), name: text, optional: flag });

const serviceAccountTokenProjection = record(
  { audience: text, expirationSeconds: or(int64, 3600), path: text },
  'path',
);

const volumeProjection = record({
  clusterTrustBundle: clusterTrustBundleProjection,
  configMap: configMapProjection,
  downwardAPI: downwardAPIProjection,
  podCertificate: podCertificateProjection,
  secret: secretProjection,
  serviceAccountToken: serviceAccountTokenProjection,
});

const projectedVolumeSource = record({ defaultMode: or(int32, 420), sources: listOf(volumeProjection) });

const secretVolumeSource = record({
  defaultMode: or(int32, 420),
  items: listOf(keyToPath),
  optional: flag,
  secretName: text,
});

/** A volume of a pod: a name and one source. */
export const volume: SchemaNode = record(
  {
    awsElasticBlockStore: aWSElasticBlockStoreVolumeSource,
    azureDisk: azureDiskVolumeSource,
    azureFile: azureFileVolumeSource,
    cephfs: cephFSVolumeSource,
    cinder: cinderVolumeSource,
    configMap: configMapVolumeSource,
    csi: cSIVolumeSource,
    downwardAPI: downwardAPIVolumeSource,
    emptyDir: emptyDirVolumeSource,
    ephemeral: ephemeralVolumeSource,
    fc: fCVolumeSource,
    flexVolume: flexVolumeSource,
    flocker: flockerVolumeSource,
    gcePersistentDisk: gCEPersistentDiskVolumeSource,
    gitRepo: gitRepoVolumeSource,
    glusterfs: glusterfsVolumeSource,
    hostPath: hostPathVolumeSource,
    image: imageVolumeSource,
    iscsi: iSCSIVolumeSource,
    name: text,
    nfs: nFSVolumeSource,
    persistentVolumeClaim: persistentVolumeClaimVolumeSource,
    photonPersistentDisk: photonPersistentDiskVolumeSource,
    portworxVolume: portworxVolumeSource,
    projected: projectedVolumeSource,
    quobyte: quobyteVolumeSource,
    rbd: rBDVolumeSource,
    scaleIO: scaleIOVolumeSource,
    secret: secretVolumeSource,
    storageos: storageOSVolumeSource,
    vsphereVolume: vsphereVirtualDiskVolumeSource,
  },
  'name',
);
