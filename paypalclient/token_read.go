package paypalclient

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"golang.org/x/oauth2"
)

// readToken checks what the oauth2 package made of the answer. Its errors hold the body and never get out.
func readToken(received *oauth2.Token, err error) (minted, *Error) {
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused):
		failure := newError(KindAuthUnavailable, "")
		if refusesCredentials(refused) {
			failure = newError(KindAuthFailed, "")
		}
		failure.Name = plainCode(refused.ErrorCode, maxNameLength)
		return minted{}, failure
	case err != nil:
		return minted{}, newError(KindAuthUnavailable, "no readable answer from the token endpoint")
	}
	lifetime := lifetimeOf(received)
	if !validToken(received.AccessToken) || received.Type() != "Bearer" || lifetime <= 0 {
		return minted{}, newError(KindAuthUnavailable, "the token endpoint's answer holds no usable token")
	}
	return minted{value: conceal(received.AccessToken), lifetime: lifetime}, nil
}

// refusesCredentials reports whether another try with the same credentials is useless.
func refusesCredentials(e *oauth2.RetrieveError) bool {
	switch status := e.Response.StatusCode; {
	case status == http.StatusRequestTimeout, status == http.StatusTooEarly, status == http.StatusTooManyRequests:
		return false
	case status >= 400 && status <= 499:
		return true
	}
	return e.ErrorCode == "invalid_client" || e.ErrorCode == "unauthorized_client"
}

// lifetimeOf reads expires_in, which PayPal may send as a number or as a string.
func lifetimeOf(t *oauth2.Token) time.Duration {
	var seconds float64
	switch value := t.Extra("expires_in").(type) {
	case float64:
		seconds = value
	case int64:
		seconds = float64(value)
	case string:
		seconds, _ = strconv.ParseFloat(value, 64)
	}
	if math.IsNaN(seconds) || seconds <= 0 {
		return 0
	}
	return time.Duration(min(seconds, maxLifetime.Seconds()) * float64(time.Second))
}

func validToken(s string) bool {
	if len(s) == 0 || len(s) > maxTokenLength {
		return false
	}
	for _, b := range []byte(s) {
		if b <= ' ' || b > '~' {
			return false
		}
	}
	return true
}
