FROM swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends libbrotli-dev libevent-dev libnghttp2-dev libpq-dev libssl-dev zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Package.swift ./
COPY scripts/release scripts/release
COPY config/locales config/locales
COPY config/screens config/screens
COPY config/api config/api
COPY sql sql
COPY Sources Sources
COPY Tests Tests
RUN scripts/release vitrine /vitrine

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
    fonts-inter-variable fonts-vlgothic libbrotli1 libevent-core-2.1-7 libnghttp2-14 libpq5 librsvg2-bin libssl3 libstdc++6 zlib1g \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --user-group --home-dir /nonexistent --no-create-home --shell /usr/sbin/nologin vitrine
COPY --from=build /vitrine /usr/local/bin/vitrine
ARG VERSION=unreleased
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Vitrine" \
    org.opencontainers.image.description="A catalog backend for storefronts: curated feeds, layouts as data, and sync, on PostgreSQL" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.version="$VERSION" \
    org.opencontainers.image.revision="$REVISION"
USER 10001:10001
ENV VITRINE_LISTEN=0.0.0.0:8080 VITRINE_OPERATIONS_LISTEN=127.0.0.1:8081
EXPOSE 8080
ENTRYPOINT ["/usr/local/bin/vitrine"]
CMD ["serve"]
