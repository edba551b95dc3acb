{{- define "meshrelay.rights" -}}
{{- if .Values.admissionPolicy.enabled }}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  labels: {{- include "meshrelay.labels" $ | nindent 4 }}
  name: meshrelay-mgmt-server
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
      - apiGroups:
          - ""
        apiVersions:
          - "*"
        operations:
          - CREATE
        resources:
          - configmaps
          - secrets
      - apiGroups:
          - coordination.k8s.io
        apiVersions:
          - "*"
        operations:
          - CREATE
        resources:
          - leases
  matchConditions:
    - name: account
      expression: request.userInfo.username == 'system:serviceaccount:{{ .Release.Namespace }}:meshrelay-mgmt-server'
  variables:
    - name: resource
      expression: request.resource.group + '/' + request.resource.resource
    - name: subject
      expression: "request.operation == 'CREATE' ? object : oldObject"
  validations:
    - expression: variables.resource != '/secrets' || object.type == 'Opaque'
      messageExpression: "'this account may only create Secrets of type Opaque, and this one is of type ' + object.type"
      reason: Forbidden
    - expression: "variables.resource != '/secrets' || (request.namespace == '{{ .Release.Namespace }}' ? true : object.metadata.name in [])"
      messageExpression: request.resource.resource + ' ' + request.namespace + '/' + object.metadata.name + ' is not an object that this account may create'
      reason: Forbidden
    - expression: variables.resource != '/configmaps' || object.metadata.name in []
      messageExpression: request.resource.resource + ' ' + request.namespace + '/' + object.metadata.name + ' is not an object that this account may create'
      reason: Forbidden
    - expression: |-
        variables.resource != 'coordination.k8s.io/leases' || object.metadata.name in ["meshrelay-mgmt-server","meshrelay-mgmt-server-replica-0","meshrelay-mgmt-server-replica-1","meshrelay-mgmt-server-replica-10","meshrelay-mgmt-server-replica-11","meshrelay-mgmt-server-replica-12","meshrelay-mgmt-server-replica-13","meshrelay-mgmt-server-replica-14","meshrelay-mgmt-server-replica-15","meshrelay-mgmt-server-replica-2","meshrelay-mgmt-server-replica-3","meshrelay-mgmt-server-replica-4","meshrelay-mgmt-server-replica-5","meshrelay-mgmt-server-replica-6","meshrelay-mgmt-server-replica-7","meshrelay-mgmt-server-replica-8","meshrelay-mgmt-server-replica-9"]
      messageExpression: request.resource.resource + ' ' + request.namespace + '/' + object.metadata.name + ' is not an object that this account may create'
      reason: Forbidden
    - expression: |-
        variables.resource in ["/secrets","/configmaps","coordination.k8s.io/leases"] || (has(variables.subject.metadata.labels) && 'meshrelay.dev/owner' in variables.subject.metadata.labels)
      messageExpression: "'this account may only write objects with the label meshrelay.dev/owner'"
      reason: Forbidden
    - expression: |-
        variables.resource in ["/secrets","/configmaps","coordination.k8s.io/leases"] || !(request.namespace in ["kube-system","kube-public","kube-node-lease"])
      messageExpression: "'this account may not write in namespace ' + request.namespace"
      reason: Forbidden
{{- end }}
{{- if .Values.admissionPolicy.enabled }}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  labels: {{- include "meshrelay.labels" $ | nindent 4 }}
  name: meshrelay-mgmt-server
spec:
  policyName: meshrelay-mgmt-server
  validationActions:
    - Deny
{{- end }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  labels: {{- include "meshrelay.labels" $ | nindent 4 }}
  name: meshrelay-mgmt-server
rules:
  - apiGroups:
      - admin.meshrelay.dev
    resources:
      - workspaces
      - workspacesettings
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - admin.meshrelay.dev
    resources:
      - workspaces/status
      - workspacesettings/status
    verbs:
      - patch
  - apiGroups:
      - extensions.meshrelay.dev
    resources:
      - accesslogrecords
      - wasmdeployments
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - extensions.meshrelay.dev
    resources:
      - accesslogrecords/status
      - wasmdeployments/status
    verbs:
      - patch
  - apiGroups:
      - networking.meshrelay.dev
    resources:
      - accesspolicies
      - trafficpolicies
      - virtualdestinations
      - virtualmeshes
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - networking.meshrelay.dev
    resources:
      - accesspolicies/status
      - trafficpolicies/status
      - virtualdestinations/status
      - virtualmeshes/status
    verbs:
      - patch
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  labels: {{- include "meshrelay.labels" $ | nindent 4 }}
  name: meshrelay-mgmt-server
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: meshrelay-mgmt-server
subjects:
  - kind: ServiceAccount
    name: meshrelay-mgmt-server
    namespace: {{ .Release.Namespace }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  labels: {{- include "meshrelay.labels" $ | nindent 4 }}
  name: meshrelay-mgmt-server
  namespace: {{ .Release.Namespace }}
rules:
  - apiGroups:
      - ""
    resources:
      - secrets
    verbs:
      - create
      - get
      - list
      - update
      - watch
  - apiGroups:
      - ""
    resources:
      - events
    verbs:
      - create
  - apiGroups:
      - ""
    resources:
      - pods
    verbs:
      - list
  - apiGroups:
      - admin.meshrelay.dev
    resources:
      - ledgers
    verbs:
      - create
      - delete
      - get
      - list
      - update
      - watch
  - apiGroups:
      - admin.meshrelay.dev
    resources:
      - settings
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - admin.meshrelay.dev
    resources:
      - settings/status
    verbs:
      - patch
  - apiGroups:
      - coordination.k8s.io
    resources:
      - leases
    verbs:
      - create
  - apiGroups:
      - discovery.meshrelay.dev
    resources:
      - destinations
      - meshes
      - workloads
    verbs:
      - create
      - delete
      - get
      - list
      - patch
      - watch
  - apiGroups:
      - discovery.meshrelay.dev
    resources:
      - destinations/status
      - meshes/status
      - workloads/status
    verbs:
      - patch
  - apiGroups:
      - multicluster.meshrelay.dev
    resources:
      - kubernetesclusters
    verbs:
      - get
      - list
      - update
      - watch
  - apiGroups:
      - multicluster.meshrelay.dev
    resources:
      - kubernetesclusters/status
    verbs:
      - patch
  - apiGroups:
      - coordination.k8s.io
    resources:
      - leases
    resourceNames:
      - meshrelay-mgmt-server
      - meshrelay-mgmt-server-replica-0
      - meshrelay-mgmt-server-replica-1
      - meshrelay-mgmt-server-replica-10
      - meshrelay-mgmt-server-replica-11
      - meshrelay-mgmt-server-replica-12
      - meshrelay-mgmt-server-replica-13
      - meshrelay-mgmt-server-replica-14
      - meshrelay-mgmt-server-replica-15
      - meshrelay-mgmt-server-replica-2
      - meshrelay-mgmt-server-replica-3
      - meshrelay-mgmt-server-replica-4
      - meshrelay-mgmt-server-replica-5
      - meshrelay-mgmt-server-replica-6
      - meshrelay-mgmt-server-replica-7
      - meshrelay-mgmt-server-replica-8
      - meshrelay-mgmt-server-replica-9
    verbs:
      - get
      - update
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  labels: {{- include "meshrelay.labels" $ | nindent 4 }}
  name: meshrelay-mgmt-server
  namespace: {{ .Release.Namespace }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: meshrelay-mgmt-server
subjects:
  - kind: ServiceAccount
    name: meshrelay-mgmt-server
    namespace: {{ .Release.Namespace }}
{{- end }}

{{- define "meshrelay.rights.singleCluster" -}}
{{- if .Values.admissionPolicy.enabled }}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  labels: {{- include "meshrelay.labels" $ | nindent 4 }}
  name: meshrelay-mgmt-server
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
      - apiGroups:
          - ""
        apiVersions:
          - "*"
        operations:
          - CREATE
        resources:
          - configmaps
          - secrets
      - apiGroups:
          - coordination.k8s.io
        apiVersions:
          - "*"
        operations:
          - CREATE
        resources:
          - leases
      - apiGroups:
          - access.smi-spec.io
        apiVersions:
          - "*"
        operations:
          - CREATE
          - UPDATE
          - DELETE
        resources:
          - traffictargets
      - apiGroups:
          - agent.meshrelay.dev
        apiVersions:
          - "*"
        operations:
          - CREATE
          - UPDATE
          - DELETE
        resources:
          - accesslogconfigs
          - xdsconfigs
      - apiGroups:
          - certificates.meshrelay.dev
        apiVersions:
          - "*"
        operations:
          - CREATE
          - UPDATE
          - DELETE
        resources:
          - issuedcertificates
      - apiGroups:
          - extensions.istio.io
        apiVersions:
          - "*"
        operations:
          - CREATE
          - UPDATE
          - DELETE
        resources:
          - wasmplugins
      - apiGroups:
          - networking.istio.io
        apiVersions:
          - "*"
        operations:
          - CREATE
          - UPDATE
          - DELETE
        resources:
          - destinationrules
          - gateways
          - serviceentries
          - virtualservices
      - apiGroups:
          - policy.openservicemesh.io
        apiVersions:
          - "*"
        operations:
          - CREATE
          - UPDATE
          - DELETE
        resources:
          - retries
          - upstreamtrafficsettings
      - apiGroups:
          - security.istio.io
        apiVersions:
          - "*"
        operations:
          - CREATE
          - UPDATE
          - DELETE
        resources:
          - authorizationpolicies
          - peerauthentications
      - apiGroups:
          - specs.smi-spec.io
        apiVersions:
          - "*"
        operations:
          - CREATE
          - UPDATE
          - DELETE
        resources:
          - httproutegroups
          - tcproutes
      - apiGroups:
          - split.smi-spec.io
        apiVersions:
          - "*"
        operations:
          - CREATE
          - UPDATE
          - DELETE
        resources:
          - trafficsplits
      - apiGroups:
          - telemetry.istio.io
        apiVersions:
          - "*"
        operations:
          - CREATE
          - UPDATE
          - DELETE
        resources:
          - telemetries
  matchConditions:
    - name: account
      expression: request.userInfo.username == 'system:serviceaccount:{{ .Release.Namespace }}:meshrelay-mgmt-server'
  variables:
    - name: resource
      expression: request.resource.group + '/' + request.resource.resource
    - name: subject
      expression: "request.operation == 'CREATE' ? object : oldObject"
  validations:
    - expression: variables.resource != '/secrets' || object.type == 'Opaque'
      messageExpression: "'this account may only create Secrets of type Opaque, and this one is of type ' + object.type"
      reason: Forbidden
    - expression: |-
        variables.resource != '/secrets' || (request.namespace == '{{ .Release.Namespace }}' ? true : object.metadata.name in ["cacerts"])
      messageExpression: request.resource.resource + ' ' + request.namespace + '/' + object.metadata.name + ' is not an object that this account may create'
      reason: Forbidden
    - expression: variables.resource != '/configmaps' || object.metadata.name in []
      messageExpression: request.resource.resource + ' ' + request.namespace + '/' + object.metadata.name + ' is not an object that this account may create'
      reason: Forbidden
    - expression: |-
        variables.resource != 'coordination.k8s.io/leases' || object.metadata.name in ["meshrelay-agent","meshrelay-mgmt-server","meshrelay-mgmt-server-replica-0","meshrelay-mgmt-server-replica-1","meshrelay-mgmt-server-replica-10","meshrelay-mgmt-server-replica-11","meshrelay-mgmt-server-replica-12","meshrelay-mgmt-server-replica-13","meshrelay-mgmt-server-replica-14","meshrelay-mgmt-server-replica-15","meshrelay-mgmt-server-replica-2","meshrelay-mgmt-server-replica-3","meshrelay-mgmt-server-replica-4","meshrelay-mgmt-server-replica-5","meshrelay-mgmt-server-replica-6","meshrelay-mgmt-server-replica-7","meshrelay-mgmt-server-replica-8","meshrelay-mgmt-server-replica-9"]
      messageExpression: request.resource.resource + ' ' + request.namespace + '/' + object.metadata.name + ' is not an object that this account may create'
      reason: Forbidden
    - expression: |-
        variables.resource in ["/secrets","/configmaps","coordination.k8s.io/leases"] || (has(variables.subject.metadata.labels) && 'meshrelay.dev/owner' in variables.subject.metadata.labels)
      messageExpression: "'this account may only write objects with the label meshrelay.dev/owner'"
      reason: Forbidden
    - expression: |-
        variables.resource in ["/secrets","/configmaps","coordination.k8s.io/leases"] || !(request.namespace in ["kube-system","kube-public","kube-node-lease"])
      messageExpression: "'this account may not write in namespace ' + request.namespace"
      reason: Forbidden
{{- end }}
{{- if .Values.admissionPolicy.enabled }}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  labels: {{- include "meshrelay.labels" $ | nindent 4 }}
  name: meshrelay-mgmt-server
spec:
  policyName: meshrelay-mgmt-server
  validationActions:
    - Deny
{{- end }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  labels: {{- include "meshrelay.labels" $ | nindent 4 }}
  name: meshrelay-mgmt-server
rules:
  - apiGroups:
      - admin.meshrelay.dev
    resources:
      - workspaces
      - workspacesettings
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - admin.meshrelay.dev
    resources:
      - workspaces/status
      - workspacesettings/status
    verbs:
      - patch
  - apiGroups:
      - extensions.meshrelay.dev
    resources:
      - accesslogrecords
      - wasmdeployments
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - extensions.meshrelay.dev
    resources:
      - accesslogrecords/status
      - wasmdeployments/status
    verbs:
      - patch
  - apiGroups:
      - networking.meshrelay.dev
    resources:
      - accesspolicies
      - trafficpolicies
      - virtualdestinations
      - virtualmeshes
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - networking.meshrelay.dev
    resources:
      - accesspolicies/status
      - trafficpolicies/status
      - virtualdestinations/status
      - virtualmeshes/status
    verbs:
      - patch
  - apiGroups:
      - ""
    resources:
      - configmaps
      - namespaces
      - nodes
      - pods
      - services
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - access.smi-spec.io
    resources:
      - traffictargets
    verbs:
      - create
      - delete
      - get
      - list
      - patch
      - watch
  - apiGroups:
      - admin.meshrelay.dev
    resources:
      - workspacesettings
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - admin.meshrelay.dev
    resources:
      - workspacesettings/status
    verbs:
      - patch
  - apiGroups:
      - agent.meshrelay.dev
    resources:
      - accesslogconfigs
      - xdsconfigs
    verbs:
      - create
      - delete
      - get
      - list
      - patch
      - watch
  - apiGroups:
      - apiextensions.k8s.io
    resources:
      - customresourcedefinitions
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - apps
    resources:
      - daemonsets
      - deployments
      - replicasets
      - statefulsets
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - certificates.meshrelay.dev
    resources:
      - issuedcertificates
    verbs:
      - create
      - delete
      - get
      - list
      - patch
      - watch
  - apiGroups:
      - certificates.meshrelay.dev
    resources:
      - issuedcertificates/status
    verbs:
      - patch
  - apiGroups:
      - config.openservicemesh.io
    resources:
      - meshconfigs
      - meshrootcertificates
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - discovery.k8s.io
    resources:
      - endpointslices
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - extensions.istio.io
    resources:
      - wasmplugins
    verbs:
      - create
      - delete
      - get
      - list
      - patch
      - watch
  - apiGroups:
      - extensions.meshrelay.dev
    resources:
      - accesslogrecords
      - wasmdeployments
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - extensions.meshrelay.dev
    resources:
      - accesslogrecords/status
      - wasmdeployments/status
    verbs:
      - patch
  - apiGroups:
      - networking.istio.io
    resources:
      - destinationrules
      - gateways
      - serviceentries
      - virtualservices
    verbs:
      - create
      - delete
      - get
      - list
      - patch
      - watch
  - apiGroups:
      - networking.istio.io
    resources:
      - envoyfilters
      - sidecars
      - workloadentries
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - networking.meshrelay.dev
    resources:
      - accesspolicies
      - trafficpolicies
      - virtualdestinations
      - virtualmeshes
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - networking.meshrelay.dev
    resources:
      - accesspolicies/status
      - trafficpolicies/status
      - virtualdestinations/status
      - virtualmeshes/status
    verbs:
      - patch
  - apiGroups:
      - policy.openservicemesh.io
    resources:
      - retries
      - upstreamtrafficsettings
    verbs:
      - create
      - delete
      - get
      - list
      - patch
      - watch
  - apiGroups:
      - security.istio.io
    resources:
      - authorizationpolicies
      - peerauthentications
    verbs:
      - create
      - delete
      - get
      - list
      - patch
      - watch
  - apiGroups:
      - specs.smi-spec.io
    resources:
      - httproutegroups
      - tcproutes
    verbs:
      - create
      - delete
      - get
      - list
      - patch
      - watch
  - apiGroups:
      - split.smi-spec.io
    resources:
      - trafficsplits
    verbs:
      - create
      - delete
      - get
      - list
      - patch
      - watch
  - apiGroups:
      - telemetry.istio.io
    resources:
      - telemetries
    verbs:
      - create
      - delete
      - get
      - list
      - patch
      - watch
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  labels: {{- include "meshrelay.labels" $ | nindent 4 }}
  name: meshrelay-mgmt-server
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: meshrelay-mgmt-server
subjects:
  - kind: ServiceAccount
    name: meshrelay-mgmt-server
    namespace: {{ .Release.Namespace }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  labels: {{- include "meshrelay.labels" $ | nindent 4 }}
  name: meshrelay-mgmt-server
  namespace: {{ .Release.Namespace }}
rules:
  - apiGroups:
      - ""
    resources:
      - secrets
    verbs:
      - create
      - get
      - list
      - update
      - watch
  - apiGroups:
      - ""
    resources:
      - events
    verbs:
      - create
  - apiGroups:
      - ""
    resources:
      - pods
    verbs:
      - list
  - apiGroups:
      - admin.meshrelay.dev
    resources:
      - ledgers
    verbs:
      - create
      - delete
      - get
      - list
      - update
      - watch
  - apiGroups:
      - admin.meshrelay.dev
    resources:
      - settings
    verbs:
      - get
      - list
      - watch
  - apiGroups:
      - admin.meshrelay.dev
    resources:
      - settings/status
    verbs:
      - patch
  - apiGroups:
      - coordination.k8s.io
    resources:
      - leases
    verbs:
      - create
  - apiGroups:
      - discovery.meshrelay.dev
    resources:
      - destinations
      - meshes
      - workloads
    verbs:
      - create
      - delete
      - get
      - list
      - patch
      - watch
  - apiGroups:
      - discovery.meshrelay.dev
    resources:
      - destinations/status
      - meshes/status
      - workloads/status
    verbs:
      - patch
  - apiGroups:
      - multicluster.meshrelay.dev
    resources:
      - kubernetesclusters
    verbs:
      - create
      - get
      - list
      - update
      - watch
  - apiGroups:
      - multicluster.meshrelay.dev
    resources:
      - kubernetesclusters/status
    verbs:
      - patch
  - apiGroups:
      - coordination.k8s.io
    resources:
      - leases
    resourceNames:
      - meshrelay-mgmt-server
      - meshrelay-mgmt-server-replica-0
      - meshrelay-mgmt-server-replica-1
      - meshrelay-mgmt-server-replica-10
      - meshrelay-mgmt-server-replica-11
      - meshrelay-mgmt-server-replica-12
      - meshrelay-mgmt-server-replica-13
      - meshrelay-mgmt-server-replica-14
      - meshrelay-mgmt-server-replica-15
      - meshrelay-mgmt-server-replica-2
      - meshrelay-mgmt-server-replica-3
      - meshrelay-mgmt-server-replica-4
      - meshrelay-mgmt-server-replica-5
      - meshrelay-mgmt-server-replica-6
      - meshrelay-mgmt-server-replica-7
      - meshrelay-mgmt-server-replica-8
      - meshrelay-mgmt-server-replica-9
    verbs:
      - get
      - update
  - apiGroups:
      - ""
    resources:
      - secrets
    verbs:
      - create
  - apiGroups:
      - admin.meshrelay.dev
    resources:
      - outputledgers
    verbs:
      - create
      - delete
      - get
      - list
      - update
      - watch
  - apiGroups:
      - coordination.k8s.io
    resources:
      - leases
    verbs:
      - create
  - apiGroups:
      - coordination.k8s.io
    resources:
      - leases
    resourceNames:
      - meshrelay-agent
    verbs:
      - get
      - update
  - apiGroups:
      - ""
    resources:
      - secrets
    resourceNames:
      - meshrelay-workload-ca
    verbs:
      - get
      - list
      - watch
      - update
      - delete
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  labels: {{- include "meshrelay.labels" $ | nindent 4 }}
  name: meshrelay-mgmt-server
  namespace: {{ .Release.Namespace }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: meshrelay-mgmt-server
subjects:
  - kind: ServiceAccount
    name: meshrelay-mgmt-server
    namespace: {{ .Release.Namespace }}
{{- range .Values.rights.meshNamespaces }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  labels: {{- include "meshrelay.labels" $ | nindent 4 }}
  name: meshrelay-mgmt-server-mesh-ca
  namespace: {{ . }}
rules:
  - apiGroups:
      - ""
    resources:
      - secrets
    verbs:
      - create
  - apiGroups:
      - ""
    resources:
      - secrets
    resourceNames:
      - cacerts
    verbs:
      - get
      - update
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  labels: {{- include "meshrelay.labels" $ | nindent 4 }}
  name: meshrelay-mgmt-server-mesh-ca
  namespace: {{ . }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: meshrelay-mgmt-server-mesh-ca
subjects:
  - kind: ServiceAccount
    name: meshrelay-mgmt-server
    namespace: {{ $.Release.Namespace }}
{{- end }}
{{- range .Values.rights.patches }}
{{- if not (or (or (eq .name "istio") (hasPrefix "istio-" .name)) ((eq .name "osm-mesh-config"))) }}
{{- fail (printf "rights.patches: no plugin patches an object named %s; those that are patched: istio, istio-*, osm-mesh-config" .name) }}
{{- end }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  labels: {{- include "meshrelay.labels" $ | nindent 4 }}
  name: meshrelay-mgmt-server-patch-{{ .name }}
  namespace: {{ .namespace }}
rules:
{{- if or (eq .name "istio") (hasPrefix "istio-" .name) }}
  - apiGroups:
      - ""
    resources:
      - configmaps
    resourceNames:
      - {{ .name }}
    verbs:
      - get
      - update
{{- end }}
{{- if (eq .name "osm-mesh-config") }}
  - apiGroups:
      - config.openservicemesh.io
    resources:
      - meshconfigs
    resourceNames:
      - {{ .name }}
    verbs:
      - get
      - update
{{- end }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  labels: {{- include "meshrelay.labels" $ | nindent 4 }}
  name: meshrelay-mgmt-server-patch-{{ .name }}
  namespace: {{ .namespace }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: meshrelay-mgmt-server-patch-{{ .name }}
subjects:
  - kind: ServiceAccount
    name: meshrelay-mgmt-server
    namespace: {{ $.Release.Namespace }}
{{- end }}
{{- end }}

{{- define "meshrelay.rights.tokenReview" -}}
- apiGroups:
    - authentication.k8s.io
  resources:
    - tokenreviews
  verbs:
    - create
- apiGroups:
    - authorization.k8s.io
  resources:
    - subjectaccessreviews
  verbs:
    - create
{{- end }}
