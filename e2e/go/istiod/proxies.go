package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
	"time"

	clusterv3 "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	endpointv3 "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listenerv3 "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	routev3 "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	rbacv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/rbac/v3"
	tlsv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/transport_sockets/tls/v3"
	"google.golang.org/protobuf/proto"
	"k8s.io/apimachinery/pkg/runtime"

	"istio.io/istio/pilot/pkg/config/kube/crd"
	"istio.io/istio/pilot/pkg/model"
	"istio.io/istio/pilot/pkg/networking/util"
	"istio.io/istio/pilot/pkg/serviceregistry/util/label"
	"istio.io/istio/pilot/test/xds"
	"istio.io/istio/pilot/test/xdstest"
	"istio.io/istio/pkg/config"
	"istio.io/istio/pkg/config/constants"
	"istio.io/istio/pkg/config/mesh"
	"istio.io/istio/pkg/config/schema/gvk"
	kubelib "istio.io/istio/pkg/kube"
	"istio.io/istio/pkg/test"
	"istio.io/istio/pkg/util/protomarshal"
)

// Name of the only cluster in istiod's fakes.
const clusterID = constants.DefaultClusterName

// A request about one cluster.
type asked struct {
	// MeshConfig as YAML.
	Mesh string `json:"mesh"`
	// Services, pods and other objects of Kubernetes.
	Kubernetes []json.RawMessage `json:"kubernetes"`
	// Objects of Istio.
	Istio   []json.RawMessage `json:"istio"`
	Proxies []proxy           `json:"proxies"`
}

type proxy struct {
	Name      string            `json:"name"`
	Namespace string            `json:"namespace"`
	Labels    map[string]string `json:"labels"`
	Address   string            `json:"address"`
	Account   string            `json:"account"`
	Gateway   bool              `json:"gateway"`
	// Written as `region/zone`.
	Locality string `json:"locality"`
	Node     string `json:"node"`
}

type answer struct {
	Error string `json:"error,omitempty"`
	// Problems that istiod reports, by metric and key.
	Problems map[string]map[string]string `json:"problems"`
	// Keys are `<name>.<namespace>`.
	Proxies map[string]told `json:"proxies"`
}

// Configuration of one proxy.
type told struct {
	Clusters []cluster         `json:"clusters"`
	Routes   []json.RawMessage `json:"routes"`
	Chains   []chain           `json:"chains"`
	Doors    []door            `json:"doors"`
	// Digest of the whole configuration.
	Digest string `json:"digest"`
}

type cluster struct {
	Name string `json:"name"`
	// SNI of the TLS connection that the proxy opens; empty without TLS.
	SNI       string     `json:"sni"`
	Endpoints []endpoint `json:"endpoints"`
	// Names that the server's certificate may have; empty if they are not checked.
	Identities []string `json:"identities"`
	// Path of the DestinationRule that configures it; empty if there is not one.
	Rule string `json:"rule"`
}

// A port that accepts requests.
type door struct {
	Port uint32 `json:"port"`
	// Whether callers must have a certificate; otherwise the port accepts all callers before its filters run.
	TLS bool `json:"tls"`
	// Filters that decide on each request, in order.
	RBAC []json.RawMessage `json:"rbac"`
}

type endpoint struct {
	Address  string `json:"address"`
	Port     uint32 `json:"port"`
	Priority uint32 `json:"priority"`
}

// A filter chain of a listener.
type chain struct {
	Listener string   `json:"listener"`
	Port     uint32   `json:"port"`
	Names    []string `json:"names"`
	// Cluster that it sends connections to, if it has no routes.
	Clusters []string `json:"clusters"`
}

// Loads a cluster into a complete istiod without connections, and requests the configuration of each proxy.
func proxiesOf(line []byte) (found answer) {
	var question asked
	if err := json.Unmarshal(line, &question); err != nil {
		return answer{Error: err.Error()}
	}
	options, err := optionsOf(question)
	if err != nil {
		return answer{Error: err.Error()}
	}
	failed := test.Wrap(func(t test.Failer) {
		// istiod itself would exit here: it has no recovery.
		defer func() {
			if fault := recover(); fault != nil {
				found.Error = fmt.Sprintf("istiod panics: %v\n%s", fault, debug.Stack())
			}
		}()
		server := xds.NewFakeDiscoveryServer(t, options)
		found.Proxies = map[string]told{}
		for _, one := range question.Proxies {
			found.Proxies[one.Name+"."+one.Namespace] = tell(t, server, one)
		}
		found.Problems = problemsOf(server.PushContext())
	})
	if failed != nil {
		found.Error = failed.Error()
	}
	return found
}

func optionsOf(question asked) (xds.FakeOptions, error) {
	options := xds.FakeOptions{}
	meshConfig, err := mesh.ApplyMeshConfigDefaults(question.Mesh)
	if err != nil {
		return options, fmt.Errorf("mesh: %w", err)
	}
	options.MeshConfig = meshConfig
	options.KubernetesObjects, err = kubernetesObjects(question.Kubernetes)
	if err != nil {
		return options, err
	}
	options.Configs, err = istioObjects(question.Istio)
	return options, err
}

func kubernetesObjects(texts []json.RawMessage) ([]runtime.Object, error) {
	decoder := kubelib.IstioCodec.UniversalDeserializer()
	objects := make([]runtime.Object, 0, len(texts))
	for _, text := range texts {
		object, _, err := decoder.Decode(text, nil, nil)
		if err != nil {
			return nil, fmt.Errorf("%w: %s", err, text)
		}
		objects = append(objects, object)
	}
	return objects, nil
}

func istioObjects(texts []json.RawMessage) ([]config.Config, error) {
	var configs []config.Config
	for _, text := range texts {
		parsed, unknown, err := crd.ParseInputs(string(text))
		if err != nil || len(unknown) > 0 {
			return nil, fmt.Errorf("not of Istio (%w): %s", err, text)
		}
		configs = append(configs, parsed...)
	}
	// Istio orders objects by age. Objects without a creation time get the same one.
	for at := range configs {
		configs[at].ResourceVersion = "1"
		if configs[at].CreationTimestamp.IsZero() {
			configs[at].CreationTimestamp = time.Unix(0, 0)
		}
	}
	return configs, nil
}

func tell(t test.Failer, server *xds.FakeDiscoveryServer, one proxy) told {
	kind := model.SidecarProxy
	if one.Gateway {
		kind = model.Router
	}
	asker := server.SetupProxy(&model.Proxy{
		ID:              one.Name + "." + one.Namespace,
		Type:            kind,
		IPAddresses:     []string{one.Address},
		ConfigNamespace: one.Namespace,
		Labels:          label.AugmentLabels(one.Labels, clusterID, one.Locality, one.Node, ""),
		Locality:        util.ConvertLocality(one.Locality),
		Metadata: &model.NodeMetadata{
			Namespace:      one.Namespace,
			Labels:         one.Labels,
			ServiceAccount: one.Account,
			IstioVersion:   "1.32.0",
			ClusterID:      clusterID,
			DNSCapture:     true,
		},
	})
	endpoints := map[string][]endpoint{}
	for _, assignment := range server.Endpoints(asker) {
		endpoints[assignment.ClusterName] = endpointsOf(assignment)
	}
	var found told
	var parts []string
	for _, one := range server.Endpoints(asker) {
		parts = append(parts, digestOf(t, one))
	}
	for _, one := range server.Clusters(asker) {
		parts = append(parts, digestOf(t, one))
		found.Clusters = append(found.Clusters, clusterOf(t, one, endpoints[one.Name]))
	}
	listeners := server.Listeners(asker)
	for _, one := range listeners {
		parts = append(parts, digestOf(t, one))
		found.Chains = append(found.Chains, chainsOf(t, one)...)
		if one.Name == model.VirtualInboundListenerName {
			found.Doors = append(found.Doors, doorsOf(t, one)...)
		}
	}
	for _, one := range server.ConfigGen.BuildExtensionConfiguration(asker, server.PushContext(), modulesOf(server), nil) {
		parts = append(parts, digestOf(t, one))
	}
	for _, one := range server.RoutesFromListeners(asker, listeners) {
		inOrder(one)
		parts = append(parts, digestOf(t, one))
		text, err := protomarshal.Marshal(one)
		if err != nil {
			t.Fatal(err)
		}
		found.Routes = append(found.Routes, text)
	}
	// Listeners, clusters and modules have no defined order.
	sort.Strings(parts)
	all := sha256.Sum256([]byte(strings.Join(parts, " ")))
	found.Digest = hex.EncodeToString(all[:])
	return found
}

// Matchers of query parameters have no defined order either.
func inOrder(configuration *routev3.RouteConfiguration) {
	for _, host := range configuration.VirtualHosts {
		for _, one := range host.Routes {
			matchers := one.GetMatch().GetQueryParameters()
			sort.Slice(matchers, func(i, j int) bool { return matchers[i].Name < matchers[j].Name })
		}
	}
}

// Keys are the resource names that proxies request.
func modulesOf(server *xds.FakeDiscoveryServer) []string {
	var names []string
	for _, one := range server.Env().List(gvk.TrafficExtension, "") {
		names = append(names, model.TrafficExtensionResourceNamePrefix+one.Namespace+"."+one.Name)
	}
	sort.Strings(names)
	return names
}

func digestOf(t test.Failer, one proto.Message) string {
	bytes, err := proto.MarshalOptions{Deterministic: true}.Marshal(one)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(bytes)
	return hex.EncodeToString(sum[:])
}

func clusterOf(t test.Failer, one *clusterv3.Cluster, endpoints []endpoint) cluster {
	found := cluster{Name: one.Name, Endpoints: endpoints, Identities: []string{}}
	found.Rule = one.GetMetadata().GetFilterMetadata()["istio"].GetFields()["config"].GetStringValue()
	if len(endpoints) == 0 && one.LoadAssignment != nil {
		found.Endpoints = endpointsOf(one.LoadAssignment)
	}
	sockets := one.TransportSocketMatches
	if one.TransportSocket != nil {
		sockets = append(sockets, &clusterv3.Cluster_TransportSocketMatch{TransportSocket: one.TransportSocket})
	}
	for _, socket := range sockets {
		if socket.TransportSocket.GetTypedConfig() == nil || !socket.TransportSocket.GetTypedConfig().MessageIs(&tlsv3.UpstreamTlsContext{}) {
			continue
		}
		context := xdstest.UnmarshalAny[tlsv3.UpstreamTlsContext](t, socket.TransportSocket.GetTypedConfig())
		found.SNI = context.Sni
		combined := context.GetCommonTlsContext().GetCombinedValidationContext().GetDefaultValidationContext()
		for _, name := range combined.GetMatchSubjectAltNames() {
			found.Identities = append(found.Identities, name.GetExact()+name.GetPrefix()+name.GetSuffix())
		}
	}
	return found
}

func endpointsOf(assignment *endpointv3.ClusterLoadAssignment) []endpoint {
	var found []endpoint
	for _, locality := range assignment.Endpoints {
		for _, one := range locality.LbEndpoints {
			address := one.GetEndpoint().GetAddress()
			if internal := address.GetEnvoyInternalAddress(); internal != nil {
				found = append(found, endpoint{Address: internal.EndpointId, Priority: locality.Priority})
				continue
			}
			socket := address.GetSocketAddress()
			found = append(found, endpoint{Address: socket.GetAddress(), Port: socket.GetPortValue(), Priority: locality.Priority})
		}
	}
	return found
}

func chainsOf(t test.Failer, listener *listenerv3.Listener) []chain {
	var found []chain
	chains := listener.FilterChains
	if listener.DefaultFilterChain != nil {
		chains = append(chains, listener.DefaultFilterChain)
	}
	for _, one := range chains {
		way := chain{
			Listener: listener.Name,
			Port:     listener.GetAddress().GetSocketAddress().GetPortValue(),
			Names:    one.GetFilterChainMatch().GetServerNames(),
		}
		if tcp := xdstest.ExtractTCPProxy(t, one); tcp != nil {
			if name := tcp.GetCluster(); name != "" {
				way.Clusters = append(way.Clusters, name)
			}
			for _, weighted := range tcp.GetWeightedClusters().GetClusters() {
				way.Clusters = append(way.Clusters, weighted.GetName())
			}
		}
		found = append(found, way)
	}
	return found
}

func doorsOf(t test.Failer, listener *listenerv3.Listener) []door {
	var found []door
	for _, one := range listener.FilterChains {
		way := door{Port: one.GetFilterChainMatch().GetDestinationPort().GetValue(), TLS: one.TransportSocket != nil}
		manager := xdstest.ExtractHTTPConnectionManager(t, one)
		if manager == nil || way.Port == 0 {
			continue
		}
		for _, filter := range manager.HttpFilters {
			if config := filter.GetTypedConfig(); config != nil && config.MessageIs(&rbacv3.RBAC{}) {
				text, err := protomarshal.Marshal(xdstest.UnmarshalAny[rbacv3.RBAC](t, config))
				if err != nil {
					t.Fatal(err)
				}
				way.RBAC = append(way.RBAC, text)
			}
		}
		found = append(found, way)
	}
	return found
}

func problemsOf(context *model.PushContext) map[string]map[string]string {
	found := map[string]map[string]string{}
	for metric, events := range context.ProxyStatus {
		found[metric] = map[string]string{}
		for key, event := range events {
			found[metric][key] = event.Message + " (" + strconv.Quote(event.Proxy) + ")"
		}
	}
	return found
}
