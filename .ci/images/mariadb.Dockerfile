ARG FROM
FROM $FROM
# Debian has it with the clients. It says what option files say, and there are none.
RUN ln -s /bin/true /usr/bin/my_print_defaults
COPY mariadb-entrypoint /usr/local/bin/
ENTRYPOINT ["/usr/local/bin/mariadb-entrypoint"]
CMD ["mariadbd"]
EXPOSE 3306
