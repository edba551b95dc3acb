{{- define "meshrelay.name" -}}
meshrelay-agent
{{- end }}

{{- /* The agent's configuration: the user's, with what the chart knows. */ -}}
{{- define "meshrelay.config" -}}
{{- $config := deepCopy .Values.config }}
{{- $relay := $config.relay }}
{{- if not (hasKey $relay "authority") }}{{ $_ := set $relay "authority" "mgmt-server.meshrelay" }}{{ end }}
{{- $_ := set $config "namespace" .Release.Namespace }}
{{- with include "meshrelay.plugins" . }}{{ $_ := set $config "plugins" (fromYamlArray .) }}{{ end }}
{{- toYaml $config }}
{{- end }}

{{- /* From the configuration. */ -}}
{{- define "meshrelay.containerPorts" -}}
- { name: data-plane, containerPort: {{ include "meshrelay.port" (dig "dataPlane" "listen" ":9977" .) }} }
- { name: peers, containerPort: {{ include "meshrelay.port" (dig "peers" "listen" ":9978" .) }} }
- { name: health, containerPort: {{ include "meshrelay.port" (dig "health" "listen" ":9988" .) }} }
- { name: metrics, containerPort: {{ include "meshrelay.port" (dig "stats" "listen" ":9091" .) }} }
{{- end }}

{{- define "meshrelay.metricsPort" -}}
metrics
{{- end }}

{{- define "meshrelay.resources" -}}
requests: {{ ternary "{ cpu: 200m, memory: 512Mi }" "{ cpu: 50m, memory: 192Mi }" (eq .Values.profile "production") }}
limits: {{ ternary "{ memory: 2Gi }" "{ memory: 768Mi }" (eq .Values.profile "production") }}
{{- end }}
