// The comparison program: an access log server with go-control-plane's messages and grpc-go.
//
//	als-server keep      counts entries by class of status, filters by status, keeps the last entries
//	als-server project   the same, and passes five fields of each entry to a reader
//
// It prints its port. On a signal to end it prints the number of entries as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	data "github.com/envoyproxy/go-control-plane/envoy/data/accesslog/v3"
	als "github.com/envoyproxy/go-control-plane/envoy/service/accesslog/v3"
	"google.golang.org/grpc"
)

// The capacity that the sink has in the same benchmark.
const capacity = 50000

// The fields of an entry that a reader gets.
type line struct {
	start    time.Time
	status   uint32
	path     string
	duration time.Duration
	cluster  string
}

type counts struct {
	Received uint64    `json:"received"`
	Retained uint64    `json:"retained"`
	Read     uint64    `json:"read"`
	Classes  [6]uint64 `json:"classes"`
}

type server struct {
	als.UnimplementedAccessLogServiceServer
	lines chan []line

	mu     sync.Mutex
	counts counts
	ring   [capacity]*data.HTTPAccessLogEntry
	at     int
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
		s.take(message.GetHttpLogs().GetLogEntry())
	}
}

func (s *server) take(entries []*data.HTTPAccessLogEntry) {
	var lines []line
	s.mu.Lock()
	for _, entry := range entries {
		status := entry.GetResponse().GetResponseCode().GetValue()
		s.counts.Received++
		s.counts.Classes[min(status/100, 5)]++
		if status < 200 {
			continue
		}
		s.counts.Retained++
		s.ring[s.at] = entry
		s.at = (s.at + 1) % capacity
		if s.lines != nil {
			common := entry.GetCommonProperties()
			lines = append(lines, line{
				start:    common.GetStartTime().AsTime(),
				status:   status,
				path:     entry.GetRequest().GetPath(),
				duration: common.GetDuration().AsDuration(),
				cluster:  common.GetUpstreamCluster(),
			})
		}
	}
	s.mu.Unlock()
	if lines != nil {
		s.lines <- lines
	}
}

func (s *server) read() {
	for lines := range s.lines {
		s.mu.Lock()
		s.counts.Read += uint64(len(lines))
		s.mu.Unlock()
	}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	s := &server{}
	if len(os.Args) > 1 && os.Args[1] == "project" {
		s.lines = make(chan []line, 1000)
		go s.read()
	}
	g := grpc.NewServer(grpc.MaxConcurrentStreams(100))
	als.RegisterAccessLogServiceServer(g, s)
	fmt.Printf("%d\n", listener.Addr().(*net.TCPAddr).Port)
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	go func() {
		<-ended
		s.mu.Lock()
		_ = json.NewEncoder(os.Stdout).Encode(s.counts)
		os.Exit(0)
	}()
	go func() { _, _ = io.Copy(io.Discard, os.Stdin); os.Exit(1) }()
	if err := g.Serve(listener); err != nil {
		panic(err)
	}
}
