{{- define "meshrelay.name" -}}
meshrelay-mgmt-server
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
{{- with include "meshrelay.plugins" . }}{{ $_ := set $config "plugins" (fromYamlArray .) }}{{ end }}
{{- if and (gt (int (include "meshrelay.replicas" .)) 1) (ne (dig "store" "type" "memory" $config) "redis") }}
{{- fail (printf "replicas: %s replicas need a Redis that they share; set config.store (type: redis, redis.addresses), or redis.enabled for a trial, or replicas to 1" (include "meshrelay.replicas" .)) }}
{{- end }}
{{- toYaml $config }}
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

{{- /* From the configuration. */ -}}
{{- define "meshrelay.containerPorts" -}}
- { name: relay, containerPort: {{ include "meshrelay.port" (dig "relay" "listen" ":9900" .) }} }
- { name: health, containerPort: {{ include "meshrelay.port" (dig "health" "listen" ":9091" .) }} }
- { name: peers, containerPort: {{ include "meshrelay.port" (dig "peers" "listen" ":9979" .) }} }
{{- end }}

{{- define "meshrelay.metricsPort" -}}
health
{{- end }}

{{- define "meshrelay.resources" -}}
requests: {{ ternary "{ cpu: 500m, memory: 1Gi }" "{ cpu: 100m, memory: 256Mi }" (eq .Values.profile "production") }}
limits: {{ ternary "{ memory: 4Gi }" "{ memory: 1Gi }" (eq .Values.profile "production") }}
{{- end }}
