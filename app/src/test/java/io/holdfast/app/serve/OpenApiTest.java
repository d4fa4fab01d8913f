package io.holdfast.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.AttemptId;
import io.holdfast.Budget;
import io.holdfast.Fence;
import io.holdfast.Holder;
import io.holdfast.Incumbent;
import io.holdfast.SilenceLimit;
import io.holdfast.StoreUnavailable;
import io.holdfast.postgres.PostgresStores;
import io.holdfast.publish.AppId;
import io.holdfast.publish.Deployment;
import io.holdfast.publish.Ending;
import io.holdfast.publish.Slug;
import io.holdfast.release.ContentId;
import io.holdfast.sanction.Account;
import io.holdfast.sanction.Sanction;
import io.holdfast.sanction.Terms;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the document says is what the service does. */
class OpenApiTest {
    private static final AttemptId ID = AttemptId.random();
    private static final Incumbent INCUMBENT =
            new Incumbent(ID, new Holder("h"), new Fence(1), Instant.EPOCH, Duration.ZERO, Duration.ofSeconds(1));

    private static final Sanction SANCTION = new Sanction(
            ID,
            new Terms(Account.of("a"), "r", new Holder("h"), Optional.empty()),
            Instant.EPOCH,
            new Sanction.Active(Optional.empty()));

    private static final Deployment DEPLOYMENT = new Deployment(
            ID,
            AppId.of("a"),
            Slug.of("s"),
            new Fence(1),
            new Holder("h"),
            Instant.EPOCH,
            Optional.empty(),
            new Ending.Failed("e"));

    /** One value for each type of parameter that the problems have. */
    private static final Map<Class<?>, Object> SAMPLES = Map.ofEntries(
            Map.entry(AppId.class, AppId.of("a")),
            Map.entry(Slug.class, Slug.of("s")),
            Map.entry(Account.class, Account.of("a")),
            Map.entry(ContentId.class, ContentId.of("c")),
            Map.entry(AttemptId.class, ID),
            Map.entry(Incumbent.class, INCUMBENT),
            Map.entry(Optional.class, Optional.of(INCUMBENT)),
            Map.entry(StoreUnavailable.Effect.class, StoreUnavailable.Effect.UNKNOWN),
            Map.entry(Duration.class, Duration.ofSeconds(1)),
            Map.entry(String.class, "text"),
            Map.entry(int.class, 1),
            Map.entry(Deployment.class, DEPLOYMENT),
            Map.entry(Sanction.class, SANCTION));

    private static final List<Class<?>> ALL_PROBLEMS = List.of(
            Problem.class,
            PublishProblems.class,
            ReleaseProblems.class,
            SaveProblems.class,
            RefreshProblems.class,
            SanctionProblems.class);

    private static JsonNode document;

    @BeforeAll
    static void read() throws IOException {
        try (InputStream in = Service.class.getResourceAsStream("openapi.json")) {
            document = new ObjectMapper().readTree(in);
        }
    }

    @Test
    void everyRouteIsDescribedAndEveryDescriptionIsARoute() {
        Set<String> described = new TreeSet<>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .fieldNames()
                        .forEachRemaining(method ->
                                described.add(method.toUpperCase(java.util.Locale.ROOT) + " " + path.getKey())));

        assertThat(routes()).isNotEmpty().containsExactlyInAnyOrderElementsOf(described);
    }

    private static Set<String> routes() {
        Budget budget = Budget.of(Duration.ofSeconds(1));
        Service.Settings settings = new Service.Settings(
                "127.0.0.1",
                0,
                new Holder("test"),
                Duration.ofSeconds(1),
                SilenceLimit.of(Duration.ofSeconds(4)),
                budget,
                Duration.ZERO,
                1,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        Set<String> routes = new TreeSet<>();
        PostgresStores nowhere = PostgresStores.of(new HikariDataSource());
        Ports ports = new Ports(
                nowhere.claims(),
                nowhere.deployments(),
                nowhere.leases(),
                nowhere.saveTokens(),
                nowhere.refreshTokens(),
                nowhere.sanctions());
        try (Service service = Service.start(ports, Nodes.simulated(), settings)) {
            service.http.unsafe.internalRouter.allHttpHandlers().stream()
                    .map(parsed -> parsed.endpoint)
                    .filter(endpoint -> !endpoint.method.equals(HandlerType.BEFORE))
                    .forEach(endpoint -> routes.add(endpoint.method + " " + endpoint.path));
        }
        return routes;
    }

    @Test
    void everyProblemIsDescribedUnderItsStatus() throws Exception {
        List<Problem> problems = problems();
        JsonNode schema = document.at("/components/schemas/Problem/properties");

        assertThat(texts(schema.at("/type/enum")))
                .containsExactlyInAnyOrderElementsOf(
                        problems.stream().map(Problem::type).distinct().toList());
        assertThat(texts(schema.at("/advice/enum")))
                .containsExactlyInAnyOrderElementsOf(
                        problems.stream().map(Problem::advice).distinct().toList());
        assertThat(problems)
                .filteredOn(problem -> problem.status() != 1)
                .filteredOn(problem -> !problem.type().contains("no_such_path")
                        && !problem.type().contains("no_such_method"))
                .hasSizeGreaterThan(15)
                .allSatisfy(problem -> assertThat(responses(Integer.toString(problem.status())))
                        .as(problem.type())
                        .anyMatch(description -> description.contains("`" + problem.type() + "`")));
        Set<String> members = new TreeSet<>();
        problems.forEach(problem -> members.addAll(problem.members().keySet()));
        Set<String> described = new TreeSet<>();
        schema.fieldNames().forEachRemaining(described::add);
        assertThat(described).isEqualTo(members);
    }

    private static List<Problem> problems() throws ReflectiveOperationException {
        List<Problem> problems = new ArrayList<>();
        for (Method method : ALL_PROBLEMS.stream()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .toList()) {
            // Problem.of makes any.
            if (!method.getName().equals("of")
                    && Modifier.isStatic(method.getModifiers())
                    && !Modifier.isPrivate(method.getModifiers())
                    && method.getReturnType() == Problem.class) {
                Object[] samples = Arrays.stream(method.getParameterTypes())
                        .map(SAMPLES::get)
                        .toArray();
                problems.add((Problem) method.invoke(null, samples));
            }
        }
        return problems;
    }

    private static List<String> responses(String status) {
        List<String> descriptions = new ArrayList<>();
        document.path("paths")
                .forEach(path -> path.forEach(operation -> descriptions.add(
                        operation.at("/responses/" + status + "/description").asText())));
        return descriptions;
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
    }
}
