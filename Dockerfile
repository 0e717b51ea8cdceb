# Three programs, an image each:
#   docker build --target worker -t gavel-worker:dev .
#   docker build --target starter -t gavel-starter:dev .
#   docker build --target fakepaypal -t gavel-fakepaypal:dev .

FROM golang:1.26.8-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN mkdir -p /out/state \
 && CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /out/ ./worker ./starter ./testsuite/fakepaypal

# Certificates and nothing else: no shell, and a user that is not root.
FROM gcr.io/distroless/static-debian12:nonroot@sha256:f5b485ea962d9bd1186b2f6b3a061191539b905b82ec395de78cbfae51f20e35 AS base
USER 65532:65532

FROM base AS fakepaypal
COPY --from=build /out/fakepaypal /fakepaypal
COPY --from=build --chown=65532:65532 /out/state /state
VOLUME /state
ENTRYPOINT ["/fakepaypal"]

FROM base AS starter
COPY --from=build /out/starter /starter
ENTRYPOINT ["/starter"]

# Last, so that a build without --target makes the worker.
FROM base AS worker
COPY --from=build /out/worker /worker
ENTRYPOINT ["/worker"]
