// The controller of kube-controller-manager that writes tokens into Secrets of type
// kubernetes.io/service-account-token, started as in its own main.
package main

import (
	"context"
	"flag"
	"os/signal"
	"syscall"

	"k8s.io/client-go/informers"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/keyutil"
	"k8s.io/klog/v2"
	controller "k8s.io/kubernetes/pkg/controller/serviceaccount"
	"k8s.io/kubernetes/pkg/serviceaccount"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "of the API server")
	keyFile := flag.String("service-account-private-key-file", "", "PEM; its public part is what the API server verifies tokens by")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *kubeconfig, *keyFile); err != nil {
		klog.Fatal(err)
	}
}

func run(ctx context.Context, kubeconfig, keyFile string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := clientset.NewForConfig(config)
	if err != nil {
		return err
	}
	key, err := keyutil.PrivateKeyFromFile(keyFile)
	if err != nil {
		return err
	}
	generator, err := serviceaccount.JWTTokenGenerator(serviceaccount.LegacyIssuer, key)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	tokens, err := controller.NewTokensController(
		klog.FromContext(ctx),
		factory.Core().V1().ServiceAccounts(),
		factory.Core().V1().Secrets(),
		client,
		controller.TokensControllerOptions{TokenGenerator: generator, RootCA: config.CAData},
	)
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	tokens.Run(ctx, 2)
	return nil
}
