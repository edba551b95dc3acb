/** Volumes that live in storage systems outside the cluster. */
import type { SchemaNode } from '../object.ts';
import { flag, int32, listOf, mapOf, record, text } from './build.ts';
import { localObjectReference } from './core-reference.ts';

/** A A WSElastic Block Store volume. */
export const aWSElasticBlockStoreVolumeSource: SchemaNode = record(
  { fsType: text, partition: int32, readOnly: flag, volumeID: text },
  'volumeID',
);

/** A Azure Disk volume. */
export const azureDiskVolumeSource: SchemaNode = record(
  { cachingMode: text, diskName: text, diskURI: text, fsType: text, kind: text, readOnly: flag },
  'diskName',
  'diskURI',
);

/** A Azure File volume. */
export const azureFileVolumeSource: SchemaNode = record(
  { readOnly: flag, secretName: text, shareName: text },
  'secretName',
  'shareName',
);

/** A Ceph FS volume. */
export const cephFSVolumeSource: SchemaNode = record(
  { monitors: listOf(text), path: text, readOnly: flag, secretFile: text, secretRef: localObjectReference, user: text },
  'monitors',
);

/** A Cinder volume. */
export const cinderVolumeSource: SchemaNode = record(
  { fsType: text, readOnly: flag, secretRef: localObjectReference, volumeID: text },
  'volumeID',
);

/** A volume of a storage driver. */
export const cSIVolumeSource: SchemaNode = record(
  {
    driver: text,
    fsType: text,
    nodePublishSecretRef: localObjectReference,
    readOnly: flag,
    volumeAttributes: mapOf(text),
  },
  'driver',
);

/** A F C volume. */
export const fCVolumeSource: SchemaNode = record({
  fsType: text,
  lun: int32,
  readOnly: flag,
  targetWWNs: listOf(text),
  wwids: listOf(text),
});

/** A Flex volume. */
export const flexVolumeSource: SchemaNode = record(
  { driver: text, fsType: text, options: mapOf(text), readOnly: flag, secretRef: localObjectReference },
  'driver',
);

/** A Flocker volume. */
export const flockerVolumeSource: SchemaNode = record({ datasetName: text, datasetUUID: text });

/** A G CEPersistent Disk volume. */
export const gCEPersistentDiskVolumeSource: SchemaNode = record(
  { fsType: text, partition: int32, pdName: text, readOnly: flag },
  'pdName',
);

/** A Glusterfs volume. */
export const glusterfsVolumeSource: SchemaNode = record(
  { endpoints: text, path: text, readOnly: flag },
  'endpoints',
  'path',
);

/** A I SCSI volume. */
export const iSCSIVolumeSource: SchemaNode = record(
  {
    chapAuthDiscovery: flag,
    chapAuthSession: flag,
    fsType: text,
    initiatorName: text,
    iqn: text,
    iscsiInterface: text,
    lun: int32,
    portals: listOf(text),
    readOnly: flag,
    secretRef: localObjectReference,
    targetPortal: text,
  },
  'iqn',
  'lun',
  'targetPortal',
);

/** A N FS volume. */
export const nFSVolumeSource: SchemaNode = record({ path: text, readOnly: flag, server: text }, 'path', 'server');

/** A Photon Persistent Disk volume. */
export const photonPersistentDiskVolumeSource: SchemaNode = record({ fsType: text, pdID: text }, 'pdID');

/** A Portworx volume. */
export const portworxVolumeSource: SchemaNode = record({ fsType: text, readOnly: flag, volumeID: text }, 'volumeID');

/** A Quobyte volume. */
export const quobyteVolumeSource: SchemaNode = record(
  { group: text, readOnly: flag, registry: text, tenant: text, user: text, volume: text },
  'registry',
  'volume',
);

/** A R BD volume. */
export const rBDVolumeSource: SchemaNode = record(
  {
    fsType: text,
    image: text,
    keyring: text,
    monitors: listOf(text),
    pool: text,
    readOnly: flag,
    secretRef: localObjectReference,
    user: text,
  },
  'image',
  'monitors',
);

/** A Scale IO volume. */
export const scaleIOVolumeSource: SchemaNode = record(
  {
    fsType: text,
    gateway: text,
    protectionDomain: text,
    readOnly: flag,
    secretRef: localObjectReference,
    sslEnabled: flag,
    storageMode: text,
    storagePool: text,
    system: text,
    volumeName: text,
  },
  'gateway',
  'secretRef',
  'system',
);

/** A Storage OS volume. */
export const storageOSVolumeSource: SchemaNode = record({
  fsType: text,
  readOnly: flag,
  secretRef: localObjectReference,
  volumeName: text,
  volumeNamespace: text,
});

/** A Vsphere Virtual Disk volume. */
export const vsphereVirtualDiskVolumeSource: SchemaNode = record(
  { fsType: text, storagePolicyID: text, storagePolicyName: text, volumePath: text },
  'volumePath',
);
