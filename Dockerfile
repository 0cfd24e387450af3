# The project's tests do not build this image. They make the same folder and start it (test/release.test.ts).
FROM node:24-bookworm-slim AS release
WORKDIR /build
COPY . .
# These become part of the pages. The server refuses to start with other values.
ARG PRODUCT_NAME= BRAND_DIR= SUPPORT_EMAIL= SUPPORT_PHONE= SUPPORT_HOURS=
RUN npm run release -- --folder /app

FROM debian:bookworm-slim
# A new volume gets the owner of the folder it is mounted on.
RUN useradd --system --uid 1000 unspent && mkdir /data /photos && chown unspent /data /photos
COPY --from=release /app /app
RUN ln -s /app/node_modules/node-linux-*/bin/node /usr/local/bin/node
WORKDIR /app
USER unspent
ARG PRODUCT_NAME= BRAND_DIR= SUPPORT_EMAIL= SUPPORT_PHONE= SUPPORT_HOURS=
ENV PRODUCT_NAME="$PRODUCT_NAME" BRAND_DIR="$BRAND_DIR" SUPPORT_EMAIL="$SUPPORT_EMAIL" SUPPORT_PHONE="$SUPPORT_PHONE" SUPPORT_HOURS="$SUPPORT_HOURS"
ENV HOST=0.0.0.0 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
CMD ["./unspent", "start"]
