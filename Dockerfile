# Small on purpose, and not built by the project's tests.
FROM node:24-bookworm-slim
WORKDIR /app
COPY --chown=node:node . .
# A new volume takes the owner of the folder that it is mounted on.
RUN mkdir /data /photos && chown node:node /data /photos /app
USER node
# These are built into the pages: with other values at run time every start would build again.
ARG PRODUCT_NAME=Unspent SUPPORT_EMAIL= SUPPORT_PHONE= SUPPORT_HOURS=
ENV PRODUCT_NAME="$PRODUCT_NAME" SUPPORT_EMAIL="$SUPPORT_EMAIL" SUPPORT_PHONE="$SUPPORT_PHONE" SUPPORT_HOURS="$SUPPORT_HOURS"
RUN node scripts/build.mjs
ENV HOST=0.0.0.0 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
CMD ["npm", "start"]
