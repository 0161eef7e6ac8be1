# Patchbay's image: `docker build -t patchbay .` (docs/operations.md). Web, worker and every command are the one program `patchbay`.
# Both bases are arguments, so that they can come from a registry of your own. The first needs npm, the second nothing but glibc.
ARG BUILD_BASE=node:24-bookworm-slim
ARG BASE=debian:bookworm-slim

FROM ${BUILD_BASE} AS build
WORKDIR /src
COPY . .
# Installs, builds and assembles. A registry of your own is named by `--secret id=npmrc,src=<file>`.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc node server/bootstrap.mjs server/image/assemble.ts /out

FROM ${BASE}
RUN groupadd --system --gid 10001 patchbay \
 && useradd --system --uid 10001 --gid 10001 --home-dir /data --shell /usr/sbin/nologin patchbay \
 && mkdir -p /data/media && chown -R 10001:10001 /data
# One layer each: an upgrade seldom changes the first two.
COPY --from=build /out/node /app
COPY --from=build /out/modules /app
COPY --from=build /out/app /app
ENV NODE_ENV=production \
    PATCHBAY_ENV=production \
    PATCHBAY_DATA_DIR=/data \
    HOST=0.0.0.0 \
    PORT=3000 \
    MALLOC_MMAP_THRESHOLD_=65536 \
    NODE_OPTIONS=--max-semi-space-size=64
WORKDIR /app
USER 10001:10001
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["/app/bin/node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/app/bin/node", "/app/.programs/patchbay.mjs"]
CMD ["web"]
