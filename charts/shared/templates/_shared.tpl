{{- define "meshrelay.selector" -}}
app.kubernetes.io/name: {{ include "meshrelay.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "meshrelay.labels" -}}
{{ include "meshrelay.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: meshrelay
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end }}

{{- /* With autoscaling, at least these. */ -}}
{{- define "meshrelay.replicas" -}}
{{- $autoscaling := .Values.autoscaling | default dict }}
{{- if $autoscaling.enabled }}{{ $autoscaling.minReplicas }}{{ else }}
{{- .Values.replicas | default (ternary 2 1 (eq .Values.profile "production")) }}
{{- end }}
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

{{- /* The plugins of the configuration and those of `plugins`; empty if the chart adds none. */ -}}
{{- define "meshrelay.plugins" -}}
{{- if .Values.plugins }}
{{- $plugins := list (dict "module" "@meshrelay/plugin-istio") (dict "module" "@meshrelay/plugin-osm") (dict "module" "@meshrelay/plugin-envoy") }}
{{- $plugins = .Values.config.plugins | default $plugins }}
{{- range .Values.plugins }}
{{- $plugin := dict "module" (printf "/plugins/%s" .package) }}
{{- if .settings }}{{ $_ := set $plugin "settings" .settings }}{{ end }}
{{- $plugins = append $plugins $plugin }}
{{- end }}
{{- toYaml $plugins }}
{{- end }}
{{- end }}
