# The project's tests do not build this image.
FROM node:24-bookworm-slim
WORKDIR /app
COPY --chown=node:node . .
# A new volume gets the owner of the folder it is mounted on.
RUN mkdir /data /photos && chown node:node /data /photos /app
USER node
# These become part of the pages. With other values at run time, every start would build again.
ARG PRODUCT_NAME= BRAND_DIR= SUPPORT_EMAIL= SUPPORT_PHONE= SUPPORT_HOURS=
ENV PRODUCT_NAME="$PRODUCT_NAME" BRAND_DIR="$BRAND_DIR" SUPPORT_EMAIL="$SUPPORT_EMAIL" SUPPORT_PHONE="$SUPPORT_PHONE" SUPPORT_HOURS="$SUPPORT_HOURS"
RUN node scripts/run.mjs build
ENV HOST=0.0.0.0 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
CMD ["npm", "start"]
