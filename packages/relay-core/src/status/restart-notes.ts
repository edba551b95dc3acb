/** The report to a virtual mesh that requests restarts of pods. */
import type { Report, VirtualMesh } from '@meshrelay/api';

const NOT_RESTARTED: Report = {
  code: 'UNSUPPORTED',
  severity: 'warning',
  field: 'spec.mtlsConfig.autoRestartPods',
  message:
    'pods that hold certificates of a former root are not restarted by this version; restart them yourself, and leave the field out',
};

/** Reports that no pod is restarted; the rest of the virtual mesh applies. */
export function restartNotes({ spec: { mtlsConfig } }: VirtualMesh): readonly Report[] {
  return mtlsConfig?.autoRestartPods === true ? [NOT_RESTARTED] : [];
}
