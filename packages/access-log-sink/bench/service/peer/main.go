// The peer: go-control-plane's messages behind grpc-go, counting entries as the sink does.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"

	als "github.com/envoyproxy/go-control-plane/envoy/service/accesslog/v3"
	"google.golang.org/grpc"
)

const ring = 200000

type server struct {
	als.UnimplementedAccessLogServiceServer
	entries, errors uint64
	kept            [ring]any
	at              int
}

func (s *server) StreamAccessLogs(stream als.AccessLogService_StreamAccessLogsServer) error {
	for {
		message, err := stream.Recv()
		if err == io.EOF {
			return stream.SendAndClose(&als.StreamAccessLogsResponse{})
		}
		if err != nil {
			return err
		}
		for _, entry := range message.GetHttpLogs().GetLogEntry() {
			s.entries++
			if entry.GetResponse().GetResponseCode().GetValue() >= 500 {
				s.errors++
			}
			s.kept[s.at] = entry
			s.at = (s.at + 1) % ring
		}
	}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	s := &server{}
	g := grpc.NewServer()
	als.RegisterAccessLogServiceServer(g, s)
	fmt.Printf("%d\n", listener.Addr().(*net.TCPAddr).Port)
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	go func() { <-ended; fmt.Printf("%d\n", s.entries); os.Exit(0) }()
	if err := g.Serve(listener); err != nil {
		panic(err)
	}
}
