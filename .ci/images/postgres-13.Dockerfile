ARG FROM
FROM $FROM
ADD postgres-13.*.txz /usr/lib/postgresql/13/
