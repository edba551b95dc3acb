// Redirects connections of its network namespace to other ports, as Istio's init container does for a pod.
//
//	redirect outbound=192.0.2.1>15001       connections from this address of the pod to any address except its loopback
//	redirect inbound=10.1.0.2>15006         connections to this address
//	redirect inbound=10.1.0.2:443>15443     connections to this port of it
//	redirect address=192.0.2.1              adds an address to the loopback interface
//
// Takes any number of rules; the first that matches a connection applies.
package main

import (
	"fmt"
	"net/netip"
	"os"
	"strconv"
	"strings"

	"github.com/google/nftables"
	"github.com/google/nftables/binaryutil"
	"github.com/google/nftables/expr"
	"golang.org/x/sys/unix"
)

// Offsets in an IPv4 and a TCP header, in bytes.
const (
	sourceAddress      = 12
	destinationAddress = 16
	destinationPort    = 2
)

func main() {
	if err := redirect(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func redirect(rules []string) error {
	connection, err := nftables.New()
	if err != nil {
		return err
	}
	table := connection.AddTable(&nftables.Table{Name: "redirect", Family: nftables.TableFamilyIPv4})
	chains := map[string]*nftables.Chain{}
	for name, hook := range map[string]*nftables.ChainHook{"outbound": nftables.ChainHookOutput, "inbound": nftables.ChainHookPrerouting} {
		chains[name] = connection.AddChain(&nftables.Chain{
			Name: name, Table: table, Type: nftables.ChainTypeNAT, Hooknum: hook, Priority: nftables.ChainPriorityNATDest,
		})
	}
	for _, rule := range rules {
		direction, rest, _ := strings.Cut(rule, "=")
		if direction == "address" {
			if err := addAddress(rest); err != nil {
				return fmt.Errorf("%q: %w", rule, err)
			}
			continue
		}
		match, target, _ := strings.Cut(rest, ">")
		port, err := strconv.ParseUint(target, 10, 16)
		chain := chains[direction]
		if err != nil || chain == nil {
			return fmt.Errorf("%q is no rule; expected outbound=ADDRESS>PORT, inbound=ADDRESS[:PORT]>PORT or address=ADDRESS", rule)
		}
		fits, err := fitting(direction, match)
		if err != nil {
			return fmt.Errorf("%q: %w", rule, err)
		}
		connection.AddRule(&nftables.Rule{Table: table, Chain: chain, Exprs: append(fits, to(uint16(port))...)})
	}
	return connection.Flush()
}

// Sets the address of an alias of the loopback interface.
func addAddress(text string) error {
	address, err := netip.ParseAddr(text)
	if err != nil {
		return err
	}
	alias, err := unix.NewIfreq("lo:1")
	if err != nil {
		return err
	}
	if err := alias.SetInet4Addr(address.AsSlice()); err != nil {
		return err
	}
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	return unix.IoctlIfreq(socket, unix.SIOCSIFADDR, alias)
}

func fitting(direction, match string) ([]expr.Any, error) {
	tcp := []expr.Any{&expr.Meta{Key: expr.MetaKeyL4PROTO, Register: 1}, equal([]byte{unix.IPPROTO_TCP})}
	if direction == "outbound" {
		address, err := netip.ParseAddr(match)
		if err != nil {
			return nil, err
		}
		return append(tcp,
			header(expr.PayloadBaseNetworkHeader, sourceAddress, 4), equal(address.AsSlice()),
			header(expr.PayloadBaseNetworkHeader, destinationAddress, 1), &expr.Cmp{Op: expr.CmpOpNeq, Register: 1, Data: []byte{127}}), nil
	}
	if !strings.Contains(match, ":") {
		match += ":0"
	}
	place, err := netip.ParseAddrPort(match)
	if err != nil {
		return nil, err
	}
	fits := append(tcp, header(expr.PayloadBaseNetworkHeader, destinationAddress, 4), equal(place.Addr().AsSlice()))
	if place.Port() != 0 {
		fits = append(fits, header(expr.PayloadBaseTransportHeader, destinationPort, 2), equal(binaryutil.BigEndian.PutUint16(place.Port())))
	}
	return fits, nil
}

func header(base expr.PayloadBase, offset, length uint32) expr.Any {
	return &expr.Payload{DestRegister: 1, Base: base, Offset: offset, Len: length}
}

func equal(data []byte) expr.Any {
	return &expr.Cmp{Op: expr.CmpOpEq, Register: 1, Data: data}
}

func to(port uint16) []expr.Any {
	return []expr.Any{
		&expr.Immediate{Register: 1, Data: binaryutil.BigEndian.PutUint16(port)},
		&expr.Redir{RegisterProtoMin: 1},
	}
}
