/** The report to a virtual mesh that requests restarts of pods. */
import type { Report, VirtualMesh } from '@meshrelay/api';

const NOT_RESTARTED: Report = {
  code: 'UNSUPPORTED',
  severity: 'warning',
  field: 'spec.mtlsConfig.autoRestartPods',
  message:
    'this version does not restart pods with certificates of a former root; restart them yourself, and remove the field',
};

/** Reports that no pod is restarted; the rest of the virtual mesh applies. */
export function restartNotes({ spec: { mtlsConfig } }: VirtualMesh): readonly Report[] {
  return mtlsConfig?.autoRestartPods === true ? [NOT_RESTARTED] : [];
}
