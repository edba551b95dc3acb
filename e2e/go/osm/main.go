// Runs OSM's own catalog on a cluster, without a running OSM. OSM makes Envoy's configuration from that catalog. Reads one
// JSON request per line and answers each with one line of JSON: for each ServiceAccount that has pods, or that an object
// names, the requests that its proxies send and admit. An object that cannot be read gives null.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"sync"
	"time"

	accessv1alpha3 "github.com/servicemeshinterface/smi-sdk-go/pkg/apis/access/v1alpha3"
	specsv1alpha4 "github.com/servicemeshinterface/smi-sdk-go/pkg/apis/specs/v1alpha4"
	splitv1alpha2 "github.com/servicemeshinterface/smi-sdk-go/pkg/apis/split/v1alpha2"
	accessFake "github.com/servicemeshinterface/smi-sdk-go/pkg/gen/client/access/clientset/versioned/fake"
	specsFake "github.com/servicemeshinterface/smi-sdk-go/pkg/gen/client/specs/clientset/versioned/fake"
	splitFake "github.com/servicemeshinterface/smi-sdk-go/pkg/gen/client/split/clientset/versioned/fake"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	kubeFake "k8s.io/client-go/kubernetes/fake"

	configv1alpha2 "github.com/openservicemesh/osm/pkg/apis/config/v1alpha2"
	policyv1alpha1 "github.com/openservicemesh/osm/pkg/apis/policy/v1alpha1"
	"github.com/openservicemesh/osm/pkg/catalog"
	"github.com/openservicemesh/osm/pkg/certificate"
	tresorFake "github.com/openservicemesh/osm/pkg/certificate/providers/tresor/fake"
	"github.com/openservicemesh/osm/pkg/configurator"
	"github.com/openservicemesh/osm/pkg/constants"
	"github.com/openservicemesh/osm/pkg/endpoint"
	configFake "github.com/openservicemesh/osm/pkg/gen/client/config/clientset/versioned/fake"
	policyFake "github.com/openservicemesh/osm/pkg/gen/client/policy/clientset/versioned/fake"
	"github.com/openservicemesh/osm/pkg/identity"
	"github.com/openservicemesh/osm/pkg/k8s"
	"github.com/openservicemesh/osm/pkg/k8s/informers"
	"github.com/openservicemesh/osm/pkg/logger"
	"github.com/openservicemesh/osm/pkg/messaging"
	"github.com/openservicemesh/osm/pkg/policy"
	kubeProvider "github.com/openservicemesh/osm/pkg/providers/kube"
	"github.com/openservicemesh/osm/pkg/service"
	"github.com/openservicemesh/osm/pkg/smi"
)

const (
	meshName  = "osm"
	namespace = "osm-system"
	config    = "osm-mesh-config"
	longest   = 1 << 26
	// Maximum wait for caches.
	atOnce = 16
)

func main() {
	if err := logger.SetLogLevel("error"); err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, longest)
	var questions [][]byte
	for lines.Scan() {
		questions = append(questions, append([]byte(nil), lines.Bytes()...))
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
	// Shared by all clusters: each new one makes an RSA key for a root, and routes do not depend on the key.
	certificates := tresorFake.NewFake(messaging.NewBroker(make(chan struct{})), time.Hour)
	if certificates == nil {
		panic("OSM's certificate manager did not start within its 10 s")
	}
	answers := make([]map[string]any, len(questions))
	var rest sync.WaitGroup
	free := make(chan struct{}, atOnce)
	for at, question := range questions {
		rest.Add(1)
		free <- struct{}{}
		go func() {
			defer rest.Done()
			answers[at] = told(question, certificates)
			<-free
		}()
	}
	rest.Wait()
	for _, answer := range answers {
		if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
			panic(err)
		}
	}
}

type asked struct {
	Permissive bool              `json:"permissive"`
	Objects    []json.RawMessage `json:"objects"`
}

// The objects of a cluster, by the interface through which OSM reads them.
type cluster struct {
	kube, access, specs, split, policies []runtime.Object
	services                             []*corev1.Service
	pods                                 []*corev1.Pod
	accounts                             map[identity.K8sServiceAccount]bool
}

func told(line []byte, certificates *certificate.Manager) map[string]any {
	var question asked
	decode(line, &question)
	one, err := clusterOf(question.Objects)
	if err != nil {
		return nil
	}
	stop := make(chan struct{})
	defer close(stop)
	broker := messaging.NewBroker(stop)
	policies := policyFake.NewSimpleClientset(one.policies...)
	all, err := informers.NewInformerCollection(meshName, stop,
		informers.WithKubeClient(kubeFake.NewSimpleClientset(one.kube...)),
		informers.WithSMIClients(splitFake.NewSimpleClientset(one.split...), specsFake.NewSimpleClientset(one.specs...), accessFake.NewSimpleClientset(one.access...)),
		informers.WithConfigClient(configFake.NewSimpleClientset(meshConfig(question.Permissive)), config, namespace),
		informers.WithPolicyClient(policies))
	if err != nil {
		panic(err)
	}
	controller := k8s.NewKubernetesController(all, policies, broker)
	configured := configurator.NewConfigurator(all, namespace, config, broker)
	provider := kubeProvider.NewClient(controller, configured)
	mesh := catalog.NewMeshCatalog(controller, smi.NewSMIClient(all, namespace, controller, broker), certificates,
		policy.NewPolicyController(all, controller, broker), stop, configured, []service.Provider{provider}, []endpoint.Provider{provider}, broker)
	found := map[string]any{}
	for account := range one.accounts {
		who := account.ToServiceIdentity()
		targets, err := mesh.ListInboundTrafficTargetsWithRoutes(who)
		if err != nil {
			panic(err)
		}
		found[account.String()] = map[string]any{
			"outbound": plain(mesh.GetOutboundMeshTrafficPolicy(who)),
			"inbound":  plain(mesh.GetInboundMeshTrafficPolicy(who, provider.GetServicesForServiceIdentity(who))),
			"targets":  plain(targets),
		}
	}
	return found
}

func meshConfig(permissive bool) *configv1alpha2.MeshConfig {
	found := &configv1alpha2.MeshConfig{ObjectMeta: metav1.ObjectMeta{Name: config, Namespace: namespace}}
	found.Spec.Traffic.EnablePermissiveTrafficPolicyMode = permissive
	found.Spec.FeatureFlags.EnableRetryPolicy = true
	return found
}

// Prepares the cluster for OSM: the mesh has all namespaces, all pods have a sidecar, Services have the endpoints of
// their pods.
func clusterOf(objects []json.RawMessage) (*cluster, error) {
	found := &cluster{accounts: map[identity.K8sServiceAccount]bool{}}
	for _, text := range objects {
		if err := found.add(text); err != nil {
			return nil, err
		}
	}
	for at, pod := range found.pods {
		if pod.Spec.ServiceAccountName == "" {
			pod.Spec.ServiceAccountName = "default"
		}
		found.accounts[identity.K8sServiceAccount{Namespace: pod.Namespace, Name: pod.Spec.ServiceAccountName}] = true
		if pod.Labels == nil {
			pod.Labels = map[string]string{}
		}
		pod.Labels[constants.EnvoyUniqueIDLabelName] = fmt.Sprintf("00000000-0000-0000-0000-%012d", at)
		found.kube = append(found.kube, pod)
	}
	for _, one := range found.services {
		found.kube = append(found.kube, one, endpointsOf(one, found.pods))
	}
	namespaces := map[string]bool{namespace: true}
	for account := range found.accounts {
		namespaces[account.Namespace] = true
		found.kube = append(found.kube, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: account.Name, Namespace: account.Namespace}})
	}
	for _, one := range found.services {
		namespaces[one.Namespace] = true
	}
	monitored := map[string]string{constants.OSMKubeResourceMonitorAnnotation: meshName}
	for name := range namespaces {
		found.kube = append(found.kube, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: monitored}})
	}
	return found, nil
}

func (c *cluster) add(text []byte) error {
	var head metav1.TypeMeta
	decode(text, &head)
	switch head.Kind {
	case "Service":
		return read(text, func(one *corev1.Service) { c.services = append(c.services, one) })
	case "Pod":
		return read(text, func(one *corev1.Pod) { c.pods = append(c.pods, one) })
	case "TrafficTarget":
		return read(text, func(one *accessv1alpha3.TrafficTarget) {
			c.access = append(c.access, one)
			for _, subject := range append(one.Spec.Sources, one.Spec.Destination) {
				c.accounts[identity.K8sServiceAccount{Namespace: subject.Namespace, Name: subject.Name}] = true
			}
		})
	case "HTTPRouteGroup":
		return read(text, func(one *specsv1alpha4.HTTPRouteGroup) { c.specs = append(c.specs, one) })
	case "TCPRoute":
		return read(text, func(one *specsv1alpha4.TCPRoute) { c.specs = append(c.specs, one) })
	case "TrafficSplit":
		return read(text, func(one *splitv1alpha2.TrafficSplit) { c.split = append(c.split, one) })
	case "Retry":
		return read(text, func(one *policyv1alpha1.Retry) {
			c.policies = append(c.policies, one)
			c.accounts[identity.K8sServiceAccount{Namespace: one.Spec.Source.Namespace, Name: one.Spec.Source.Name}] = true
		})
	case "UpstreamTrafficSetting":
		return read(text, func(one *policyv1alpha1.UpstreamTrafficSetting) { c.policies = append(c.policies, one) })
	}
	return nil
}

func read[T any](text []byte, take func(*T)) error {
	found := new(T)
	if err := json.Unmarshal(text, found); err != nil {
		return err
	}
	take(found)
	return nil
}

func endpointsOf(one *corev1.Service, pods []*corev1.Pod) *corev1.Endpoints {
	found := &corev1.Endpoints{ObjectMeta: metav1.ObjectMeta{Name: one.Name, Namespace: one.Namespace}}
	var addresses []corev1.EndpointAddress
	for _, pod := range pods {
		if pod.Namespace == one.Namespace && len(one.Spec.Selector) > 0 && labels.SelectorFromSet(one.Spec.Selector).Matches(labels.Set(pod.Labels)) {
			addresses = append(addresses, corev1.EndpointAddress{IP: pod.Status.PodIP, TargetRef: &corev1.ObjectReference{Kind: "Pod", Name: pod.Name, Namespace: pod.Namespace}})
		}
	}
	var ports []corev1.EndpointPort
	for _, port := range one.Spec.Ports {
		number := port.TargetPort.IntVal
		if number == 0 {
			number = port.Port
		}
		ports = append(ports, corev1.EndpointPort{Name: port.Name, Port: number, Protocol: port.Protocol, AppProtocol: port.AppProtocol})
	}
	if len(addresses) > 0 {
		found.Subsets = []corev1.EndpointSubset{{Addresses: addresses, Ports: ports}}
	}
	return found
}

// Ignores the order of lists: OSM does not define it for most of them.
func plain(value any) any {
	var generic any
	decode(encoded(value), &generic)
	return ordered(generic)
}

func ordered(value any) any {
	switch one := value.(type) {
	case map[string]any:
		for name, inner := range one {
			one[name] = ordered(inner)
		}
	case []any:
		texts := make([]string, len(one))
		for at := range one {
			texts[at] = string(encoded(ordered(one[at])))
		}
		sort.Strings(texts)
		for at, text := range texts {
			one[at] = json.RawMessage(text)
		}
	}
	return value
}

func encoded(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}

func decode(text []byte, into any) {
	if err := json.Unmarshal(text, into); err != nil {
		panic(fmt.Errorf("%w: %s", err, text))
	}
}
