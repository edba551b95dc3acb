{{- define "meshrelay.selector" -}}
app.kubernetes.io/name: meshrelay-mgmt-server
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "meshrelay.labels" -}}
{{ include "meshrelay.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: meshrelay
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end }}

{{- define "meshrelay.replicas" -}}
{{- .Values.replicas | default (ternary 2 1 (eq .Values.profile "production")) }}
{{- end }}

{{- define "meshrelay.image" -}}
{{- with .Values.image }}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end }}
{{- end }}

{{- /* The port of an address such as ":9091". */ -}}
{{- define "meshrelay.port" -}}
{{- regexReplaceAll "^.*:" . "" }}
{{- end }}

{{- /* The server's configuration: the user's, with what the chart knows. */ -}}
{{- define "meshrelay.config" -}}
{{- $config := deepCopy .Values.config }}
{{- $names := list (printf "mgmt-server.%s" .Release.Namespace) (printf "meshrelay-mgmt-server.%s.svc" .Release.Namespace) (printf "meshrelay-mgmt-server.%s.svc.cluster.local" .Release.Namespace) }}
{{- $relay := $config.relay | default dict }}
{{- $_ := set $relay "serverNames" (concat $names ($relay.serverNames | default list) | uniq) }}
{{- $_ := set $config "relay" $relay }}
{{- $_ := set $config "namespace" .Release.Namespace }}
{{- if .Values.redis.enabled }}
{{- if $config.store }}
{{- fail "redis.enabled and config.store are both set: expected one Redis; remove redis.enabled to use that of config.store" }}
{{- end }}
{{- $_ := set $config "store" (dict "type" "redis" "redis" (dict "addresses" (list "meshrelay-redis:6379") "secretName" "meshrelay-redis")) }}
{{- end }}
{{- if .Values.plugins }}
{{- $plugins := list (dict "module" "@meshrelay/plugin-istio") (dict "module" "@meshrelay/plugin-osm") (dict "module" "@meshrelay/plugin-envoy") }}
{{- $plugins = $config.plugins | default $plugins }}
{{- range .Values.plugins }}
{{- $plugin := dict "module" (printf "/plugins/%s" .package) }}
{{- if .settings }}{{ $_ := set $plugin "settings" .settings }}{{ end }}
{{- $plugins = append $plugins $plugin }}
{{- end }}
{{- $_ := set $config "plugins" $plugins }}
{{- end }}
{{- if and (gt (int (include "meshrelay.replicas" .)) 1) (ne (dig "store" "type" "memory" $config) "redis") }}
{{- fail (printf "replicas: %s replicas need a Redis that they share; set config.store (type: redis, redis.addresses), or redis.enabled for a trial, or replicas to 1" (include "meshrelay.replicas" .)) }}
{{- end }}
{{- toYaml $config }}
{{- end }}

{{- /* Containers that copy plugins from their images to the volume from which the program loads them. */ -}}
{{- define "meshrelay.pluginContainers" -}}
{{- if .Values.plugins }}
initContainers:
  {{- range $index, $plugin := .Values.plugins }}
  {{- if $plugin.image }}
  - name: plugin-{{ $index }}
    image: {{ $plugin.image }}
    command: [cp, -R, {{ printf "%s/." ($plugin.path | default "/plugin") | quote }}, {{ printf "/plugins/%s" $plugin.package | quote }}]
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    volumeMounts:
      - { name: plugins, mountPath: /plugins }
  {{- end }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "meshrelay.redis.selector" -}}
app.kubernetes.io/name: meshrelay-redis
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "meshrelay.redis.labels" -}}
{{ include "meshrelay.redis.selector" . }}
app.kubernetes.io/part-of: meshrelay
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- /* "NAMESPACE/NAME" of another release that owns the CRD of this name and is installed; empty otherwise. */ -}}
{{- define "meshrelay.crdOwner" -}}
{{- $crd := lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" .name | default dict }}
{{- $name := dig "metadata" "annotations" "meta.helm.sh/release-name" "" $crd }}
{{- $namespace := dig "metadata" "annotations" "meta.helm.sh/release-namespace" "" $crd }}
{{- if and $name (or (ne $name .root.Release.Name) (ne $namespace .root.Release.Namespace)) }}
{{- range dig "items" list (lookup "v1" "Secret" $namespace "" | default dict) }}
{{- $labels := .metadata.labels | default dict }}
{{- if and (eq .type "helm.sh/release.v1") (eq (get $labels "name") $name) (eq (get $labels "status") "deployed") }}
{{- $namespace }}/{{ $name }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
