package workflows_test

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// literal prints a value as Go would have it written, zero fields left out.
func literal(v any) string {
	var b strings.Builder
	write(&b, reflect.ValueOf(v), 0)
	return strings.ReplaceAll(b.String(), "workflows_test.", "")
}

func write(b *strings.Builder, v reflect.Value, depth int) {
	switch {
	case v.Type() == reflect.TypeFor[time.Duration]():
		b.WriteString(durationLiteral(time.Duration(v.Int())))
	case v.Kind() == reflect.Struct:
		writeStruct(b, v, depth)
	case v.Kind() == reflect.Slice:
		fmt.Fprintf(b, "%s{", v.Type())
		for i := range v.Len() {
			indent(b, depth+1)
			write(b, v.Index(i), depth+1)
			b.WriteString(",")
		}
		indent(b, depth)
		b.WriteString("}")
	default:
		fmt.Fprintf(b, "%#v", v.Interface())
	}
}

func writeStruct(b *strings.Builder, v reflect.Value, depth int) {
	fmt.Fprintf(b, "%s{", v.Type())
	first := true
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() || v.Field(i).IsZero() {
			continue
		}
		if depth == 0 {
			indent(b, 1)
		} else if !first {
			b.WriteString(", ")
		}
		first = false
		fmt.Fprintf(b, "%s: ", field.Name)
		write(b, v.Field(i), depth+1)
		if depth == 0 {
			b.WriteString(",")
		}
	}
	if depth == 0 {
		indent(b, 0)
	}
	b.WriteString("}")
}

func indent(b *strings.Builder, depth int) {
	b.WriteString("\n" + strings.Repeat("\t", depth))
}

func durationLiteral(d time.Duration) string {
	for _, unit := range []struct {
		size time.Duration
		name string
	}{{time.Hour, "time.Hour"}, {time.Minute, "time.Minute"}, {time.Second, "time.Second"}, {time.Millisecond, "time.Millisecond"}} {
		if d != 0 && d%unit.size == 0 {
			return fmt.Sprintf("%d * %s", d/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%d", d)
}
